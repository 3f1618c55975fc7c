"""What one task of a child process may use."""

from mergecast.sandbox.forking import TaskLimits

DOCUMENT_LIMITS = TaskLimits(4.0, 10, 300 << 20, 160 << 20)
# Numerical libraries reserve much more address space than they use.
FORECAST_LIMITS = TaskLimits(60.0, 90, 1200 << 20, 600 << 20)
