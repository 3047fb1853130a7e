"""Property tests judge behaviour, not speed: on a busy machine no example is too slow."""

from hypothesis import HealthCheck, settings

settings.register_profile("digsite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("digsite")
