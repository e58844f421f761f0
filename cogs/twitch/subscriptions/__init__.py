"""What Twitch is asked to tell, and how that goes on through faults."""
