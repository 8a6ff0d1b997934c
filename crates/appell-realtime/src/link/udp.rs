//! UDP between machines: a frame is a datagram.

use super::Link;
use crate::frame::Frame;
use crate::system::{arrival, now, wait_readable};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

/// A datagram has no more bytes.
const MOST_BYTES: usize = 65_507;

/// Datagrams of strangers that are looked at in one call: a flood holds nothing up.
const MOST_AT_ONCE: usize = 64;

/// One end of a way by UDP. It takes datagrams of its peer alone.
#[derive(Debug)]
pub struct Udp {
    socket: UdpSocket,
    allowed: Option<IpAddr>,
    peer: Option<SocketAddr>,
    listens: bool, // the robot's end
    room: Vec<u8>,
    strangers: u64,
    arrived: Option<u64>, // the last datagram of the peer
}

impl Udp {
    /// The robot's end, at an address of this machine. Its peer is the first to send a frame that is taken
    /// ([`agree`](Link::agree)), from the machine that is allowed.
    ///
    /// # Errors
    /// If the address is not to be had, or is open to other machines while none is named.
    pub fn listen(address: impl ToSocketAddrs, allowed: Option<IpAddr>) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        if allowed.is_none() && !socket.local_addr()?.ip().is_loopback() {
            let what = "an address that other machines reach needs the address of the controller's machine";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        Self::new(socket, allowed, None)
    }

    /// The controller's end, whose peer is a robot at an address.
    ///
    /// # Errors
    /// If there is no socket to be had.
    pub fn connect(robot: SocketAddr) -> io::Result<Self> {
        let own: IpAddr = match robot.ip() {
            IpAddr::V4(ip) if ip.is_loopback() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            IpAddr::V6(ip) if ip.is_loopback() => Ipv6Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        Self::new(UdpSocket::bind((own, 0))?, None, Some(robot))
    }

    fn new(socket: UdpSocket, allowed: Option<IpAddr>, peer: Option<SocketAddr>) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            allowed,
            listens: peer.is_none(),
            peer,
            room: vec![0; MOST_BYTES],
            strangers: 0,
            arrived: None,
        })
    }

    /// Its address.
    ///
    /// # Errors
    /// If it has none.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// The next datagram, from anybody.
    fn next(&mut self, until: u64) -> io::Result<Option<(usize, SocketAddr)>> {
        loop {
            match self.socket.recv_from(&mut self.room) {
                Ok(found) => return Ok(Some(found)),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock if until <= now() => return Ok(None),
                    io::ErrorKind::WouldBlock => {
                        if !wait_readable(&self.socket, until)? {
                            return Ok(None);
                        }
                    }
                    // The peer's port was closed when something was sent there: it may come back.
                    io::ErrorKind::ConnectionRefused | io::ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
    }
}

impl Link for Udp {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        let Some(peer) = self.peer else { return Err(io::Error::from(io::ErrorKind::NotConnected)) };
        // A frame that cannot leave is a lost one, which watchdogs see.
        let _ = self.socket.send_to(frame.bytes(), peer);
        Ok(())
    }

    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool> {
        for _ in 0..MOST_AT_ONCE {
            let Some((length, from)) = self.next(until)? else { return Ok(false) };
            if self.peer == Some(from) {
                // The robot's end has a clock that nobody follows.
                self.arrived = if self.listens { None } else { arrival(&self.socket) };
                frame.room(length).copy_from_slice(&self.room[..length]);
                return Ok(true);
            }
            self.strangers += 1;
        }
        Ok(false)
    }

    fn agree(&mut self, frame: &mut Frame, until: u64, take: &mut dyn FnMut(&Frame) -> bool) -> io::Result<bool> {
        loop {
            let Some((length, from)) = self.next(until)? else { return Ok(false) };
            frame.room(length).copy_from_slice(&self.room[..length]);
            let may = self.allowed.is_none_or(|allowed| allowed == from.ip());
            if may && self.peer.is_none_or(|peer| peer == from) {
                let known = self.peer.replace(from);
                if take(frame) {
                    return Ok(true);
                }
                self.peer = known;
            }
            self.strangers += 1;
        }
    }

    fn forget(&mut self) {
        self.peer = self.peer.filter(|_| !self.listens);
    }

    fn strangers(&self) -> u64 {
        self.strangers
    }

    fn arrived(&self, _: &Frame) -> Option<u64> {
        self.arrived
    }
}
