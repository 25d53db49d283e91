"""What the sandbox remembers: accounts, apps, repositories, pull requests and what is on them."""
