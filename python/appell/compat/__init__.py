"""Bridges to other libraries of robot dynamics; each imports its library when it is used, not before."""
