"""Profiles of hypothesis: the machine is shared, so that no example has a deadline."""

from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=150)
settings.register_profile("thorough", deadline=None, max_examples=3000)
