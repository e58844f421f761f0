"""Tables: one game being played each, from its opening to a result that can be checked."""
