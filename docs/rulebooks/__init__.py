"""The rulebooks of the contests: pages from which somebody can write a referee that agrees with ours."""
