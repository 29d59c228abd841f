"""A Discord look-alike on this machine: REST, gateway, CDN and the people who press the buttons."""
