"""Names that promise a password or a key, and names that only speak about one."""

import pytest

from bot.core.secrets.names import is_password, is_secret


@pytest.mark.parametrize(
    "name",
    ["password", "PGPASSWORD", "db.user.password", "setPassword", "DB_PASSWORD_PROD", "--passwd",
     "dbPass", "pwd", "password2", "ssh-passphrase"],
)  # fmt: skip
def test_a_password(name: str) -> None:
    assert is_password(name)


@pytest.mark.parametrize(
    "name",
    ["passwordLabel", "password_hash", "passwordSecretRef", "getpass", "minipass", "compass",
     "password_encryption", "PASSWORD_REGEX", "passwordLength", "author", "bypass"],
)  # fmt: skip
def test_no_password(name: str) -> None:
    assert not is_password(name)


@pytest.mark.parametrize(
    "name",
    ["api_key", "apiKey", "APIKey", "X-Api-Key", "SECRET_KEY", "client_secret", "authToken",
     "app.encryption.key", "credentials", "accesskey", "webhook_secret", "PRIVATE-TOKEN"],
)  # fmt: skip
def test_a_secret(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    ["key", "max_tokens", "token_type", "publicKey", "primary_key", "site_key", "keyboard",
     "credentialsId", "secretName", "tokenUrl", "next_token", "csrf_token", "cache_key", "monkey"],
)  # fmt: skip
def test_no_secret(name: str) -> None:
    assert not is_secret(name)
