//! UDP between machines: a frame is a datagram.

use super::Link;
use crate::frame::Frame;
use crate::system::{now, wait_readable};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};

/// A datagram has no more bytes.
const MOST_BYTES: usize = 65_507;

/// One end of a way by UDP. It takes datagrams of its peer alone.
#[derive(Debug)]
pub struct Udp {
    socket: UdpSocket,
    peer: Option<SocketAddr>,
    room: Vec<u8>,
    strangers: u64,
}

impl Udp {
    /// An end at an address of this machine, whose peer is known, or is the first to send a frame that is taken
    /// ([`agree`](Link::agree)).
    ///
    /// # Errors
    /// If the address is not to be had, or is open to other machines while the peer is not known.
    pub fn bind(address: impl ToSocketAddrs, peer: Option<SocketAddr>) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        if peer.is_none() && !socket.local_addr()?.ip().is_loopback() {
            let what = "an address that other machines reach needs the peer's address";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        socket.set_nonblocking(true)?;
        Ok(Self { socket, peer, room: vec![0; MOST_BYTES], strangers: 0 })
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
        match self.socket.send_to(frame.bytes(), peer) {
            Ok(_) => Ok(()),
            // A frame that cannot leave now is a lost one, which watchdogs see.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::ConnectionRefused | io::ErrorKind::Interrupted
                ) =>
            {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool> {
        loop {
            let Some((length, from)) = self.next(until)? else { return Ok(false) };
            if self.peer == Some(from) {
                frame.room(length).copy_from_slice(&self.room[..length]);
                return Ok(true);
            }
            self.strangers += 1;
        }
    }

    fn agree(&mut self, frame: &mut Frame, until: u64, take: &mut dyn FnMut(&Frame) -> bool) -> io::Result<bool> {
        loop {
            let Some((length, from)) = self.next(until)? else { return Ok(false) };
            frame.room(length).copy_from_slice(&self.room[..length]);
            if self.peer.is_none_or(|peer| peer == from) {
                let known = self.peer.replace(from);
                if take(frame) {
                    return Ok(true);
                }
                self.peer = known;
            }
            self.strangers += 1;
        }
    }

    fn strangers(&self) -> u64 {
        self.strangers
    }
}
