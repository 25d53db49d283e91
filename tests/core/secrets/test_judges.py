"""Each judge on what it takes and what it refuses, through a scan."""

import base64

import pytest

from bot.core.secrets import Text, scan
from tests.core.secrets.vectors import case

WORD = "k8Fq" + "zR2m9W"
KEY = "q8Jx2kdLz9" + "1mWnq0PzA4"
LOGIN = base64.b64encode(f"svc:{WORD}".encode()).decode()
DUMMY_LOGIN = base64.b64encode(b"user:password").decode()
AT = "@"  # apart from what stands before it, so that no line here is an address with a password


def kinds(text: str, path: str = "src/app.py") -> list[tuple[str, str]]:
    return [(f.rule, f.level.value) for f in scan([Text(path=path, text=text)]).findings]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", f'"db_password": "{WORD}"'),
        ("a.py", f"connect(host='h', password='{WORD}')"),
        ("a.rb", f"  password => '{WORD}',"),
        ("a.go", f'password := "{WORD}"'),
        ("a.ts", f'const password: string = "{WORD}";'),
        ("a.php", f"define('DB_PASSWORD', '{WORD}');"),
        ("a.php", f"$config['password'] = '{WORD}';"),
        ("a.cs", f'"Server=db;User Id=sa;Password={WORD};"'),
        ("a.xml", f'<property name="password" value="{WORD}"/>'),
        ("a.sh", f"vault login --password {WORD}"),
        ("a.sh", f'echo "{{\\"password\\": \\"{WORD}\\"}}"'),
        ("a.md", f"password: `{WORD}`"),
        ("Dockerfile", f"ENV MYSQL_ROOT_PASSWORD={WORD}"),
    ],
)
def test_a_password_is_found_however_it_is_assigned(path: str, text: str) -> None:
    assert kinds(text, path) == [("password-assignment", "medium")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "password = password1"),
        ("a.py", "def login(user, password=None):"),
        ("a.yml", "password: !vault |"),
        ("a.ts", "password?: string;"),
        ("a.md", "Set `PASSWORD` to `hunter` or so"),
        ("a.md", "`PASS`, `WARN2`, `FAIL`"),
        ("a.json", '["password", "k8Fqz"]'),
        ("a.pl", '$ok ? "PASS" : "FAIL"'),
        ("a.js", "scrypt('password', 'salt', 64)"),
        ("a.sh", "PWD=/home/user1/x"),
        ("a.sh", 'read -s -p "Password: " PASSWORD'),
        ("de.json", '"password": "Passwort",'),
        ("zh.json", '"password": "请输入密码",'),
        ("a.xml", 'android:text="password" value="@string/pw_1"'),
        ("a.tf", "password = random_password.db.result"),
    ],
)
def test_what_only_names_a_password_is_clean(path: str, text: str) -> None:
    assert kinds(text, path) == []


def test_a_word_as_password_is_advice() -> None:
    assert kinds('password = "hun' + 'ter"') == [("password-assignment", "low")]
    assert kinds('password = "test' + '1234"') == [("password-assignment", "low")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.sh", f'export API_TOKEN="{KEY}"'),
        ("a.kt", f'val apiKey: String = "{KEY}"'),
        ("a.py", f'os.environ["API_KEY"] = "{KEY}"'),
        ("a.sh", f'curl -H "PRIVATE-TOKEN: {KEY}"'),
        ("a.md", f"X-Api-Key: {KEY}"),
    ],
)
def test_a_key_is_found_however_it_is_assigned(path: str, text: str) -> None:
    assert kinds(text, path) == [("secret-assignment", "medium")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "apiKey: config.apiKey2,"),
        ("a.js", "const token = jwt.sign(payload, secret)"),
        ("a.js", "this.accessToken = response.data.accessToken2;"),
        ("a.py", 'assert token == "abc"'),
        ("package.json", '"jsonwebtoken": "9.0.2-beta.14",'),
        ("a.yml", "key: ${{ runner.os }}-pip-${{ hashFiles('x') }}"),
    ],
)
def test_what_only_names_a_key_is_clean(path: str, text: str) -> None:
    assert kinds(text, path) == []


def test_a_uuid_under_the_name_of_a_token_is_advice() -> None:
    assert kinds(f"token: {case('saas-19').secret}", "a.yml") == [("secret-assignment", "low")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"amqp://svc:{WORD}{AT}mq.internal/vh", [("url-credentials", "medium")]),
        (f"redis://:{WORD}{AT}cache.internal", [("url-credentials", "medium")]),
        (f"redis://:{WORD}{AT}localhost:6379", [("url-credentials", "low")]),
        (f"https://a:{WORD}{AT}example.com/x", [("url-credentials", "low")]),
        (f"https://a:he%2F%2Fo{AT}pypi.internal/x", [("url-credentials", "low")]),
        (f"https://a:tr0ub%20dor%263{AT}pypi.internal/x", [("url-credentials", "medium")]),
        (f"https://user:$TOKEN1{AT}github.com/a/b", []),
        (f"https://user:<token>{AT}github.com/a/b", []),
        ("http://localhost:8080/@scope/pkg", []),
        ("reg.io:5000/app@sha256:ab1821ac3c12", []),
    ],
)
def test_passwords_in_addresses(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Authorization: Basic {LOGIN}", [("authorization-header", "medium")]),
        (f"Authorization: Basic {DUMMY_LOGIN}", []),
        (f'{{"Authorization": "Bearer {KEY}"}}', [("authorization-header", "medium")]),
        ("Authorization: Bearer ${TOKEN12345678901234}", []),
        ("Authorization: Bearer YOUR_ACCESS_TOKEN_HERE1", []),
        (f'{{"auths":{{"r.io":{{"auth":"{LOGIN}"}}}}}}', [("docker-config-auth", "medium")]),
        (f'{{"auths":{{"r.io":{{"auth":"{DUMMY_LOGIN}"}}}}}}', []),
        (f"curl -u admin:{WORD} https://a.internal", [("curl-user", "medium")]),
        ('curl -u "$USER:$PASS1" https://a.internal', []),
        (f"//r.io/:_authToken={KEY}", [("npmrc-auth", "medium")]),
    ],
)
def test_logins(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text, "notes.md") == expected


def test_a_private_key_needs_a_body_of_its_own() -> None:
    key = case("keys-04").secret
    header, *body = key.split("\n")
    assert kinds("\n".join([header, "...", "-----END PRIVATE KEY-----", *body])) == []
    assert kinds(f"{header}\n{'A' * 64}\n") == []
    assert kinds("\n".join([header, *body[:3]])) == [("private-key", "high")]


def test_the_body_of_a_private_key_may_stand_on_short_lines() -> None:
    header, *body = case("keys-04").secret.split("\n")
    text = "".join(body[:2])
    short = [text[start : start + 24] for start in range(0, 96, 24)]
    assert kinds("\r\n".join([header, *short])) == [("private-key", "high")]
    assert kinds("\n".join([header, *(line[:12] for line in short)])) == []


def test_a_password_written_twice_is_as_good_as_once() -> None:
    twice = 2 * ("hun" + "ter2")
    assert kinds(f"set password={twice} in the job", "notes.md") == [
        ("password-assignment", "medium")
    ]
    assert kinds("password=" + 2 * "test123", "notes.md") == []
    assert kinds("password=" + 4 * "ab1", "notes.md") == []


def test_a_jwt_needs_a_header_that_decodes() -> None:
    token = case("keys-17").secret
    assert kinds(token) == [("jwt", "high")]
    assert kinds("eyJ" + token[6:]) == []


def test_a_mnemonic_has_a_number_of_words_that_wallets_use() -> None:
    words = case("keys-14").secret.split(" ")
    assert kinds(f"seed phrase: {' '.join(words[:12])}") == [("mnemonic-seed", "medium")]
    assert kinds(f"seed phrase: {' '.join(words[:13])}") == []
    assert kinds(" ".join(words)) == []
