import dataclasses
import functools
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.core.errors import SettingsError
from bot.logs import LogFormat
from bot.settings import DEFAULTS, NAMES, PREFIX, Settings, database_url

EXAMPLE = Path(__file__).parents[1] / "deploy" / "example.env"
FIRST, SECOND, THIRD = ("1st " * 8, "2nd " * 8, "3rd " * 8)  # webhook secrets


def _pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()


@pytest.fixture(scope="module")
def pem() -> str:
    return _pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))


@pytest.fixture(autouse=True)
def _keys_are_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof of an RSA key takes 30 ms."""
    monkeypatch.setattr("bot.settings.load_pem_private_key", _load_pem_private_key)


_load_pem_private_key = functools.cache(load_pem_private_key)


@pytest.fixture
def environment(pem: str) -> dict[str, str]:
    """The least that must be set."""
    return {
        "MEMORYRAIL_APP_ID": "123",
        "MEMORYRAIL_PRIVATE_KEY": pem,
        "MEMORYRAIL_WEBHOOK_SECRET": FIRST,
        "PATH": "/bin",
    }


def _problems(environment: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        Settings.read(environment)
    return caught.value.problems


def test_the_least_that_must_be_set_brings_the_defaults(environment: dict[str, str]) -> None:
    settings = Settings.read(environment)
    assert settings.app_id == 123
    assert settings.database_url == f"sqlite:///{Path.cwd()}/memoryrail.sqlite"
    assert settings.github_url == "https://api.github.com"
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8080, 4)
    assert settings.retention.days == 14
    assert settings.reconcile_every.seconds == 300
    assert settings.seconds_between_writes.seconds == 1
    assert (settings.writes_a_minute, settings.writes_an_hour) == (80, 500)
    assert settings.command_alias is None


def test_commands_get_a_second_name(environment: dict[str, str]) -> None:
    settings = Settings.read(environment | {"MEMORYRAIL_COMMAND_ALIAS": "/MR"})
    assert settings.command_alias == "/mr"


def test_everything_that_is_missing_is_named_at_once_with_where_it_is_to_be_had() -> None:
    key, app_id, secret = _problems({})
    assert app_id == (
        "MEMORYRAIL_APP_ID is missing: a number on the app's settings page on GitHub; "
        "see deploy/example.env"
    )
    assert key.startswith("MEMORYRAIL_PRIVATE_KEY_FILE is missing: the app's settings page ")
    assert secret.startswith("MEMORYRAIL_WEBHOOK_SECRET is missing: the one on the app's ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("APP_ID", "00"),
        ("APP_ID", "12x"),
        ("APP_ID", "²"),
        ("WEBHOOK_SECRET", " , ,"),
        ("WEBHOOK_SECRET", "fifteen letters"),
        ("WEBHOOK_SECRET", f"{FIRST},short"),
        ("DATABASE_URL", "mysql://x/y"),
        ("DATABASE_URL", "sqlite+other:///f"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("DATABASE_URL", "sqlite:///file:x?uri=true"),
        ("DATABASE_URL", "nonsense"),
        ("GITHUB_URL", "http://github.example"),
        ("GITHUB_URL", "ftp://127.0.0.1"),
        ("GITHUB_URL", "github.example"),
        ("HOST", "not a host"),
        ("HOST", "127.0.0.300"),
        ("HOST", "localhost:8080"),
        ("HOST", "[::1]"),
        ("HOST", "-x.example"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("WORKERS", "00"),
        ("RETENTION_DAYS", "1.5"),
        ("READY_QUEUE_MINUTES", "00"),
        ("METRICS_HOST", "127.0.0.1:9"),
        ("METRICS_PORT", "65536"),
        ("LOG_FORMAT", "xml"),
        ("SECONDS_BETWEEN_WRITES", "0.5"),
        ("WRITES_A_MINUTE", "-1"),
        ("WRITES_AN_HOUR", "many"),
        ("COMMAND_ALIAS", "memory"),
        ("COMMAND_ALIAS", "/two words"),
        ("PRIVATE_KEY", "not a key"),
    ],
)
def test_a_malformed_setting_is_named_without_its_value(
    environment: dict[str, str], name: str, value: str
) -> None:
    (problem,) = _problems(environment | {PREFIX + name: value})
    assert problem.startswith(f"MEMORYRAIL_{name} ")
    assert value not in problem


def test_all_malformed_settings_are_named_at_once(environment: dict[str, str]) -> None:
    wrong = {"MEMORYRAIL_PORT": "x", "MEMORYRAIL_WORKERS": "x", "MEMORYRAIL_APP_ID": ""}
    names = [problem.split()[0] for problem in _problems(environment | wrong)]
    assert names == ["MEMORYRAIL_APP_ID", "MEMORYRAIL_PORT", "MEMORYRAIL_WORKERS"]


def test_several_secrets_are_separated_by_commas_or_lines(environment: dict[str, str]) -> None:
    environment["MEMORYRAIL_WEBHOOK_SECRET"] = f"{FIRST}, {SECOND}\n{THIRD}"
    expected = tuple(secret.strip().encode() for secret in (FIRST, SECOND, THIRD))
    assert Settings.read(environment).webhook_secrets == expected


def test_a_short_secret_is_refused_with_advice(environment: dict[str, str]) -> None:
    environment["MEMORYRAIL_WEBHOOK_SECRET"] = "fifteen letters"
    (problem,) = _problems(environment)
    assert problem.endswith("shorter than 16 characters; make one: openssl rand -hex 32")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost", "bot.example.com", "web-1"])  # noqa: S104
def test_a_host_is_an_address_or_a_name(environment: dict[str, str], host: str) -> None:
    assert Settings.read(environment | {"MEMORYRAIL_HOST": host}).host == host


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("WORKER", "is not a setting; did you mean MEMORYRAIL_WORKERS?"),
        ("webhook_secret", "is not a setting; did you mean MEMORYRAIL_WEBHOOK_SECRET?"),
        ("COLOUR", "is not a setting"),
    ],
)
def test_an_unknown_setting_is_named(
    environment: dict[str, str], tmp_path: Path, name: str, problem: str
) -> None:
    assert _problems(environment | {PREFIX + name: "4"}) == (f"{PREFIX}{name} {problem}",)
    file = tmp_path / "bot.env"
    file.write_text(f"{PREFIX}{name}=4\n")
    with pytest.raises(SettingsError) as caught:
        Settings.read(environment, env_file=file)
    assert caught.value.problems == (f"{PREFIX}{name} {problem}",)


def test_the_private_key_may_have_its_line_breaks_written_out(
    environment: dict[str, str], pem: str
) -> None:
    environment["MEMORYRAIL_PRIVATE_KEY"] = pem.replace("\n", "\\n")
    assert Settings.read(environment).private_key == pem


def test_the_private_key_may_stand_in_a_file(
    environment: dict[str, str], pem: str, tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    file.write_text(pem)
    del environment["MEMORYRAIL_PRIVATE_KEY"]
    environment["MEMORYRAIL_PRIVATE_KEY_FILE"] = str(file)
    assert Settings.read(environment).private_key == pem
    file.write_text("nothing of the kind")
    (problem,) = _problems(environment)
    assert problem.startswith(
        f"MEMORYRAIL_PRIVATE_KEY_FILE names {file}, which should hold the RSA"
    )
    file.unlink()
    (problem,) = _problems(environment)
    assert problem == (
        f"MEMORYRAIL_PRIVATE_KEY_FILE names {file}, which cannot be read: No such file or directory"
    )


def test_relative_paths_start_where_they_are_named(
    environment: dict[str, str], pem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file: from its folder. In the environment: from the working directory."""
    file = tmp_path / "etc" / "bot.env"
    file.parent.mkdir()
    (file.parent / "key.pem").write_text(pem)
    paths = {
        "MEMORYRAIL_PRIVATE_KEY_FILE": "key.pem",
        "MEMORYRAIL_DATABASE_URL": "sqlite:///bot.sqlite",
    }
    file.write_text("".join(f"{name}={value}\n" for name, value in paths.items()))
    del environment["MEMORYRAIL_PRIVATE_KEY"]
    settings = Settings.read(environment, env_file=file)
    assert settings.private_key == pem
    assert settings.database_url == f"sqlite:///{file.parent}/bot.sqlite"
    monkeypatch.chdir(tmp_path)
    assert Settings.read(environment, env_file=Path("etc/bot.env")) == settings
    monkeypatch.chdir(file.parent)
    of_environment = Settings.read(environment | paths, env_file=tmp_path / "etc" / "bot.env")
    assert of_environment.database_url == f"sqlite:///{file.parent}/bot.sqlite"


def test_two_starts_from_two_folders_use_one_database(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default it stands beside the file, or where systemd lets a service write."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "bot.env").write_text("MEMORYRAIL_PORT=8081\n")
    for folder, file in ((tmp_path, "etc/bot.env"), (tmp_path / "etc", "bot.env")):
        monkeypatch.chdir(folder)
        by_default = Settings.read(environment, env_file=Path(file)).database_url
        assert by_default == f"sqlite:///{tmp_path}/etc/memoryrail.sqlite"
    (tmp_path / "etc" / "bot.env").write_text("MEMORYRAIL_DATABASE_URL=\n")
    state = {"STATE_DIRECTORY": f"{tmp_path}:/other", "MEMORYRAIL_DATABASE_URL": ""}
    by_service = Settings.read(environment | state, env_file=Path("bot.env")).database_url
    assert by_service == f"sqlite:///{tmp_path}/memoryrail.sqlite"


def test_a_tilde_is_the_home_directory(
    environment: dict[str, str], pem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "key.pem").write_text(pem)
    del environment["MEMORYRAIL_PRIVATE_KEY"]
    environment["MEMORYRAIL_PRIVATE_KEY_FILE"] = "~/key.pem"
    environment["MEMORYRAIL_DATABASE_URL"] = "sqlite:///~/bot.sqlite"
    settings = Settings.read(environment)
    assert settings.private_key == pem
    assert settings.database_url == f"sqlite:///{tmp_path}/bot.sqlite"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"DATABASE_URL": "postgres://me@db/one"}, "postgresql://me@db/one"),
        (
            {"DATABASE_URL": "mysql://x/y", "MEMORYRAIL_DATABASE_URL": "postgresql://me@db/two"},
            "postgresql://me@db/two",
        ),
        (
            {"DATABASE_URL": "postgresql://me@db/one", "MEMORYRAIL_DATABASE_URL": ""},
            "postgresql://me@db/one",
        ),
    ],
    ids=["alone", "beside ours", "beside an empty one"],
)
def test_the_usual_name_of_a_database_does_too(
    environment: dict[str, str], given: dict[str, str], expected: str
) -> None:
    assert Settings.read(environment | given).database_url == expected


def test_a_file_that_names_the_database_wins_over_the_usual_name(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "bot.env"
    file.write_text("MEMORYRAIL_DATABASE_URL=postgresql://me@db/ours\n")
    usual = {"DATABASE_URL": "postgresql://me@db/other"}
    settings = Settings.read(environment | usual, env_file=file)
    assert settings.database_url == "postgresql://me@db/ours"


def test_a_sqlite_file_needs_its_directory(environment: dict[str, str], tmp_path: Path) -> None:
    environment["MEMORYRAIL_DATABASE_URL"] = f"sqlite:///{tmp_path}/none/bot.sqlite"
    (problem,) = _problems(environment)
    assert problem == (
        f"MEMORYRAIL_DATABASE_URL names {tmp_path}/none/bot.sqlite, "
        f"but there is no directory {tmp_path}/none"
    )


def test_two_private_keys_are_one_too_many(environment: dict[str, str]) -> None:
    environment["MEMORYRAIL_PRIVATE_KEY_FILE"] = "/some/file"
    (problem,) = _problems(environment)
    assert problem.endswith("are both set")


def test_a_key_that_is_not_rsa_is_refused(environment: dict[str, str]) -> None:
    environment["MEMORYRAIL_PRIVATE_KEY"] = _pem(ec.generate_private_key(ec.SECP256R1()))
    (problem,) = _problems(environment)
    assert "RSA" in problem


def test_the_environment_wins_over_the_file(environment: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "bot.env"
    file.write_text("MEMORYRAIL_APP_ID=7\nMEMORYRAIL_PORT=9000 # a comment\nOTHER=1\n")
    settings = Settings.read(environment, env_file=file)
    assert (settings.app_id, settings.port) == (123, 9000)


def test_a_file_that_cannot_be_read_is_all_that_is_named(tmp_path: Path) -> None:
    """Nothing is called missing that it may well set."""
    odd = tmp_path / "odd.env"
    odd.write_bytes(b"MEMORYRAIL_PORT=1\nMEMORYRAIL_HOST=\xff\n")
    for file, reason in (
        (tmp_path / "none.env", " cannot be read: No such file or directory"),
        (tmp_path, " cannot be read: Is a directory"),
        (odd, ": line 2: is not UTF-8 text"),
    ):
        with pytest.raises(SettingsError) as caught:
            Settings.read({}, env_file=file)
        assert caught.value.problems == (f"{file}{reason}",)


def test_every_line_that_says_nothing_is_named_and_not_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "bot.env"
    file.write_text(
        "MEMORYRAIL_APP_ID: 12\n\n\nMEMORYRAIL_WEBHOOK_SECRET\n# a comment\n"
        "export OTHER=1\nOTHER_TOO\nMEMORYRAIL_HOST='unclosed\n"
    )
    with pytest.raises(SettingsError) as caught:
        Settings.read({}, env_file=file)
    (problem,) = caught.value.problems
    assert problem.startswith(f"{file}: lines 1, 4, 8: should be NAME=value or a # comment; ")
    assert caplog.text == ""


def test_http_is_for_this_machine_only(environment: dict[str, str]) -> None:
    for url in ("http://127.0.0.1:9/", "http://localhost:9", "http://[::1]:9"):
        environment["MEMORYRAIL_GITHUB_URL"] = url
        assert Settings.read(environment).github_url == url.rstrip("/")


def test_the_representation_shows_no_secret(environment: dict[str, str], pem: str) -> None:
    environment |= {
        "MEMORYRAIL_DATABASE_URL": "postgresql://me:pass-word@db/bot",
        "MEMORYRAIL_FINGERPRINT_KEY": "finger-print",
    }
    shown = repr(Settings.read(environment))
    secret = [pem.splitlines()[1], FIRST.strip(), "pass-word", "finger-print"]
    assert not [text for text in secret if text in shown]


def test_what_no_log_may_show_is_gathered(environment: dict[str, str], pem: str) -> None:
    environment["MEMORYRAIL_WEBHOOK_SECRET"] = f"{FIRST},{SECOND}"
    url = "postgresql://me:pass-word@db/bot?sslmode=verify-full&sslpassword=other-word"
    environment["MEMORYRAIL_DATABASE_URL"] = url
    assert sorted(Settings.read(environment).secrets) == sorted(
        [pem, FIRST.strip(), SECOND.strip(), "pass-word", "other-word"]
    )


def test_nothing_listens_for_prometheus_until_a_port_is_set(environment: dict[str, str]) -> None:
    assert Settings.read(environment).metrics_port is None
    environment["MEMORYRAIL_METRICS_PORT"] = "0"  # any free one
    assert Settings.read(environment).metrics_port == 0
    assert Settings.read(environment).log_format is None
    environment["MEMORYRAIL_LOG_FORMAT"] = "json"
    assert Settings.read(environment).log_format is LogFormat.JSON


def test_the_database_is_known_whatever_else_is_missing(tmp_path: Path) -> None:
    """For commands that only read it."""
    file = tmp_path / "bot.env"
    file.write_text("MEMORYRAIL_APP_ID=nonsense\n")
    expected = f"sqlite:///{tmp_path / 'memoryrail.sqlite'}"
    assert database_url({"MEMORYRAIL_UNKNOWN": "1"}, env_file=file) == expected
    with pytest.raises(SettingsError, match=r"DATABASE_URL\) should be"):
        database_url({"MEMORYRAIL_DATABASE_URL": "nonsense"})


def test_fingerprints_outlive_a_new_webhook_secret_and_by_choice_a_new_private_key(
    environment: dict[str, str],
) -> None:
    by_default = Settings.read(environment).fingerprint_key
    environment["MEMORYRAIL_WEBHOOK_SECRET"] = SECOND
    assert Settings.read(environment).fingerprint_key == by_default
    environment["MEMORYRAIL_FINGERPRINT_KEY"] = "a long random text"
    chosen = Settings.read(environment).fingerprint_key
    assert chosen != by_default
    environment["MEMORYRAIL_PRIVATE_KEY"] = _pem(
        rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    assert Settings.read(environment).fingerprint_key == chosen


def test_the_example_lists_every_setting_with_its_default() -> None:
    lines = re.findall(r"^(?:# )?MEMORYRAIL_(\w+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)
    listed = dict(lines)
    assert len(lines) == len(listed)
    assert listed.keys() == NAMES
    assert {name: value for name, value in listed.items() if value} == DEFAULTS
    as_fields = {
        {
            "webhook_secret": "webhook_secrets",
            "retention_days": "retention",
            "ready_queue_minutes": "ready_queue",
            "reconcile_minutes": "reconcile_every",
        }.get(name, name)
        for name in (name.lower() for name in listed)
    }
    fields = {field.name for field in dataclasses.fields(Settings)}
    assert as_fields - {"private_key_file"} == fields
