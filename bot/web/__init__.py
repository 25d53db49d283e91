"""What answers HTTP: GitHub's deliveries, and whether this process is well."""
