"""What operators see: tables described as data, and the services that read them."""
