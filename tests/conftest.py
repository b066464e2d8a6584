from hypothesis import settings

# The same examples on every machine, and no limit of time for one: speed is a matter of scripts/benchmark.
settings.register_profile("pidm", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("pidm")
