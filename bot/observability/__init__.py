"""What an operator can see: logs, metrics, and the health of the process."""
