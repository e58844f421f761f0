"""The desk and the interface, by real platforms on loopback and real browsers' requests."""
