"""Credentials in text, and how they are masked: nobody may see one, whoever else may see what (SE-2).

:func:`redact` works in two steps. :func:`_may_hold_credential` is a necessary condition that is almost always
false and almost free; only where it is true does :func:`_mask` look closely. Both are built from the tables
below: a new service is one row in ``_SHAPES``, a new name one in ``_PASSWORD_NAMES`` or ``_SECRET_NAMES``.

No step takes more than linear time, whatever the text: every look behind is of fixed width, every look ahead
is bounded, and what one step has consumed it does not read again.
"""

import re
from binascii import a2b_base64
from collections.abc import Iterator
from functools import cache, lru_cache

MASK: str = "***"
"""What stands where a credential stood. It is no credential itself, so masking twice changes nothing."""

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

# ------------------------------------------------------------------------------------------------------------
# Keys that are recognised by their shape: (service, expression), case-sensitive.
#
# An expression starts with a plain character, holds no group that captures, and begins where no ASCII letter
# or digit precedes ("task-…" holds no "sk-…"). What it finds holds a run of 20 or more letters, digits,
# "_" and "-": shorter ones are not looked for. What it repeats without bound is the last thing in it.
# ------------------------------------------------------------------------------------------------------------

_ALNUM_ENDS = r"(?![A-Za-z0-9])"  # for shapes of one exact length: a longer run is something else
_NO_FULL_STOP = r"(?<!\.)"  # a key with dots inside may end a sentence
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

_SHAPES: tuple[tuple[str, str], ...] = (
    # Models and what is built around them
    (
        "OpenAI, Anthropic, OpenRouter, Langfuse, Helicone",
        r"sk-(?:proj|svcacct|admin|None|ant|or|lf|helicone)-[\w-]{16,}",
    ),
    # Any other "sk-": with a digit near its start, and not two plain words, as in "sk-learn-pipeline-step-2".
    ("OpenAI and whoever copied it", r"sk-(?![a-z]+-[a-z]+)(?=[A-Za-z_-]{0,64}[0-9])[\w-]{17,}"),
    ("OpenAI session", r"sess-[A-Za-z0-9]{32,}"),
    ("Google API", r"AIza[\w-]{30,}"),
    ("Google Gemini", r"AQ\.[\w-]{20,}"),
    ("Google OAuth access token", r"ya29\.[\w.-]{20,}" + _NO_FULL_STOP),
    ("Google OAuth refresh token", r"1//0[\w-]{20,}"),
    ("Google OAuth client secret", r"GOCSPX-[\w-]{20,}"),
    ("Hugging Face", r"hf_[A-Za-z0-9]{30,}"),
    ("Hugging Face organization", r"api_org_[A-Za-z0-9]{30,}"),
    ("Groq", r"gsk_[A-Za-z0-9]{20,}"),
    ("xAI", r"xai-[\w-]{20,}"),
    ("Replicate", r"r8_[A-Za-z0-9]{30,}"),
    ("Perplexity", r"pplx-[A-Za-z0-9]{30,}"),
    ("Fireworks", r"fw_[A-Za-z0-9]{20,}"),
    ("Together", r"tgp_v1_[\w-]{20,}"),
    ("Cerebras", r"csk-[A-Za-z0-9]{30,}"),
    ("NVIDIA", r"nvapi-[\w-]{20,}"),
    ("Jina", r"jina_[A-Za-z0-9]{30,}"),
    ("Tavily", r"tvly-[\w-]{20,}"),
    ("Firecrawl", r"fc-[0-9a-f]{32}" + _ALNUM_ENDS),
    ("E2B", r"e2b_[0-9a-f]{32,}"),
    ("LangSmith", r"lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}"),
    ("LangSmith, old", r"ls__[A-Za-z0-9]{20,}"),
    ("Pinecone", r"pcsk_[A-Za-z0-9_]{20,}"),
    # Clouds and hosts
    ("AWS access key id", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _ALNUM_ENDS),
    ("AWS Bedrock", r"ABSK[A-Za-z0-9+/]{40,}"),
    ("AWS Bedrock, short-term", r"bedrock-api-key-[A-Za-z0-9+/=_-]{20,}"),
    ("Alibaba Cloud", r"LTAI[A-Za-z0-9]{16,}"),
    ("Tencent Cloud", r"AKID[A-Za-z0-9]{16,}"),
    ("Yandex Cloud", r"AQVN[\w-]{35,}"),
    ("DigitalOcean", r"do[oprt]_v1_[0-9a-f]{32,}"),
    ("Cloudflare", r"cf(?:k|ut|at)_[A-Za-z0-9]{30,}"),
    ("Cloudflare origin CA", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{64,}"),
    ("Databricks", r"dapi[0-9a-f]{32}" + _ALNUM_ENDS),
    ("Heroku", r"HRKU-[\w-]{20,}"),
    ("Fly.io", r"fo1_[\w-]{40,}"),
    ("Fly.io macaroon", r"fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}"),
    ("Netlify", r"nfp_[A-Za-z0-9]{30,}"),
    ("Render", r"rnd_[A-Za-z0-9]{20,}"),
    ("Vercel", r"vc[acikpr]_[A-Za-z0-9]{20,}"),
    ("Supabase", r"sbp_[0-9a-f]{40,}"),
    ("Supabase secret key", r"sb_secret_[\w-]{20,}"),
    ("Neon", r"napi_[a-z0-9]{40,}"),
    ("PlanetScale", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}" + _NO_FULL_STOP),
    ("MongoDB Atlas", r"mdb_sa_sk_[\w-]{30,}"),
    ("OpenShift", r"sha256~[\w-]{40,}"),
    ("Tailscale", r"tskey-[\w-]{20,}"),
    # Code and packages
    ("GitHub", r"gh[oprsu]_[A-Za-z0-9]{20,}"),
    ("GitHub fine-grained", r"github_pat_[A-Za-z0-9_]{20,}"),
    ("GitLab", r"gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|rtr|soat|wt)-[\w.-]{20,}" + _NO_FULL_STOP),
    ("GitLab runner", r"GR1348941[\w-]{20,}"),
    ("Atlassian", r"AT[AC]TT3[\w=-]{20,}"),
    ("Bitbucket", r"ATBB[A-Za-z0-9]{24,}"),
    ("npm", r"npm_[A-Za-z0-9]{36,}"),
    ("PyPI", r"pypi-[\w-]{50,}"),
    ("RubyGems", r"rubygems_[0-9a-f]{40,}"),
    ("crates.io", r"cio[A-Za-z0-9]{32}" + _ALNUM_ENDS),
    ("Docker Hub", r"dckr_[op]at_[\w-]{20,}"),
    ("JFrog", r"AKCp[A-Za-z0-9]{60,}"),
    ("Buildkite", r"bk(?:ua|at|ct)_[0-9a-f]{32,}"),
    ("CircleCI", r"CCIPAT_[A-Za-z0-9_]{30,}"),
    ("Sonar", r"sq[apu]_[0-9a-f]{40}" + _ALNUM_ENDS),
    ("Pulumi", r"pul-[0-9a-f]{40}" + _ALNUM_ENDS),
    ("Terraform Cloud", r"atlasv1\.[\w=-]{60,}"),
    ("Prefect", r"pn[ub]_[A-Za-z0-9]{30,}"),
    ("Postman", r"PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{30,}"),
    # Messages, mail and documents
    ("Slack", r"xox[abceoprs]-[A-Za-z0-9-]{16,}"),
    ("Slack configuration", r"xoxe\.xox[bp]-[A-Za-z0-9-]{16,}"),
    ("Slack app", r"xapp-[A-Za-z0-9-]{16,}"),
    *(("Discord", first + r"[A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,}") for first in "MNO"),
    ("Telegram", r":(?<=[0-9]{8}:)A[\w-]{34,}"),
    ("SendGrid", r"SG\.[\w-]{16,64}\.[\w-]{16,}"),
    ("Brevo", r"xkeysib-[A-Za-z0-9-]{40,}"),
    ("Resend", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    ("Twilio API key", r"SK[0-9a-f]{32}" + _ALNUM_ENDS),
    ("Linear", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("Notion", r"ntn_[A-Za-z0-9]{40,}"),
    ("Notion, old", r"secret_[A-Za-z0-9]{43}" + _ALNUM_ENDS),
    ("Airtable", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}"),
    ("HubSpot", r"pat-[a-z]{2}[0-9]-" + _UUID),
    ("Figma", r"figd_[\w-]{30,}"),
    ("Typeform", r"tfp_[\w-]{30,}"),
    ("Contentful", r"CFPAT-[\w-]{40,}"),
    ("Dropbox", r"sl\.[\w-]{60,}"),
    # Money and shops
    ("Stripe, Clerk", r"sk_(?:live|test|prod)_[A-Za-z0-9]{12,}"),
    ("Stripe restricted", r"rk_(?:live|test|prod)_[A-Za-z0-9]{12,}"),
    ("Stripe webhook", r"whsec_[A-Za-z0-9+/]{20,}"),
    ("Shopify", r"shp(?:at|ca|pa|ss|ua)_[0-9a-fA-F]{32,}"),
    ("Square", r"sq0[a-z]{3}-[\w-]{20,}"),
    ("Facebook", r"EAA[A-Za-z0-9]{80,}"),
    ("Plaid", r"access-(?:sandbox|development|production)-" + _UUID),
    # Secrets managers and observability
    ("HashiCorp Vault", r"hv[brs]\.[\w-]{20,}"),
    ("Doppler", r"dp\.(?:audit|ct|pt|sa|scim|st)\.[\w.-]{30,}" + _NO_FULL_STOP),
    ("1Password service account", r"ops_eyJ[A-Za-z0-9+/_-]{40,}"),
    ("age", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    ("Sentry", r"sntry[su]_[A-Za-z0-9+/=_-]{20,}"),
    ("New Relic", r"NR(?:AA|AK|AL|II|JS|RA)-[A-Za-z0-9-]{19,}"),
    ("Grafana", r"glsa_[A-Za-z0-9_]{32,}"),
    ("Grafana Cloud", r"glc_[A-Za-z0-9+/]{32,}"),
    ("Dynatrace", r"dt0[cs][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{40,}"),
    ("PostHog personal", r"phx_[A-Za-z0-9]{30,}"),
    # Anybody: JSON Web Tokens, signed or encrypted, the last parts perhaps cut off
    ("JSON Web Token", r"eyJ[\w-]{8,600}\.[\w-]{8,}(?:\.[\w-]+){0,3}"),
)

# Addresses whose path is the credential: (service, expression of what stays).
_SECRET_PATHS: tuple[tuple[str, str], ...] = (
    ("Slack webhook", r"hooks\.slack\.com/(?:services|triggers|workflows)/"),
    ("Discord webhook", r"discord(?:app)?\.com/api/webhooks/"),
    ("Microsoft Teams webhook", r"webhook\.office\.com/webhookb2/"),
    ("Telegram", r"api\.telegram\.org/bot"),
)

# ------------------------------------------------------------------------------------------------------------
# Names whose value is a credential: words in lower case. A name is secret if it ends in one of them.
# ------------------------------------------------------------------------------------------------------------

# Chosen by humans: the value may be any word. Also at the end of a longer word, as in "dbpassword".
_PASSWORD_NAMES: tuple[str, ...] = ("password", "passwd", "passphrase", "pwd")

# Made by machines. "api key" stands for api_key, api-key, apiKey, API key and apikey.
_SECRET_NAMES: tuple[str, ...] = (
    *(
        f"{what} key"
        for what in ("api", "access", "secret", "private", "auth", "account", "subscription", "functions")
    ),
    *(
        f"{what} key"
        for what in ("master", "admin", "signing", "encryption", "service", "application", "app", "webhook")
    ),
    *(
        f"{what} key"
        for what in ("openai", "anthropic", "gemini", "groq", "mistral", "cohere", "deepseek", "ssh", "hmac")
    ),
    *(
        f"{what} token"
        for what in ("access", "refresh", "id", "session", "auth", "bearer", "api", "security", "bot")
    ),
    *(f"{what} secret" for what in ("client", "app", "api", "shared", "webhook", "consumer")),
    *(
        f"{what} pass"
        for what in ("db", "database", "user", "smtp", "ftp", "redis", "mysql", "postgres", "pg", "proxy")
    ),
    *("token", "secret", "credential", "jwt", "bearer"),
    *("authorization", "cookie", "sig", "amz signature", "goog signature", "password hash"),
)

# Names that are as secret in the plural. "tokens" are counted.
_WITH_PLURAL: tuple[str, ...] = ("password", "passphrase", "key", "secret", "credential", "cookie")

# Words before "token" that make it something else: a page, a piece of text, a sum.
_PLAIN_TOKENS: tuple[str, ...] = (
    *(
        "page",
        "next",
        "previous",
        "prev",
        "continuation",
        "pagination",
        "cursor",
        "sync",
        "skip",
        "cancellation",
    ),
    *(
        "pad",
        "eos",
        "bos",
        "unk",
        "mask",
        "sep",
        "cls",
        "stop",
        "start",
        "end",
        "begin",
        "special",
        "added",
        "control",
    ),
    *(
        "first",
        "second",
        "last",
        "per",
        "each",
        "every",
        "one",
        "single",
        "max",
        "min",
        "total",
        "output",
        "input",
    ),
    *(
        "prompt",
        "completion",
        "image",
        "audio",
        "text",
        "unexpected",
        "unknown",
        "illegal",
        "expected",
        "reasoning",
    ),
)

# Names that hold a credential only in the query of a URL.
_QUERY_NAMES: frozenset[str] = frozenset({"key", "code"})

# The headers whose value may consist of several words.
_HEADERS: frozenset[str] = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})

# What follows "password:" when a sentence goes on.
_PROSE: frozenset[str] = frozenset(
    (
        *(
            "a",
            "access",
            "again",
            "an",
            "and",
            "any",
            "are",
            "at",
            "authentication",
            "bytes",
            "can",
            "cannot",
        ),
        *("change", "check", "contact", "could", "denied", "did", "do", "does", "empty", "ensure", "enter"),
        *("error", "expected", "expired", "failed", "field", "for", "from", "has", "have", "in", "incorrect"),
        *("input", "invalid", "is", "it", "length", "make", "may", "mismatch", "missing", "must", "my"),
        *("need", "needed", "no", "not", "object", "of", "on", "optional", "or", "permission", "please"),
        *("provide", "provided", "required", "reset", "secretstr", "see", "should", "str", "string", "that"),
        *("the", "this", "to", "too", "try", "unauthorized", "unknown", "unset", "use", "value", "was", "we"),
        *("weak", "when", "with", "wrong", "you", "your"),
    )
)

_LONGEST_NAME = 96


@cache
def _secret_name() -> re.Pattern[str]:
    """The names as one expression over words in lower case, joined by "_"."""
    secret = "|".join(name.replace(" ", "_?") for name in _SECRET_NAMES)
    passwords = "|".join(_PASSWORD_NAMES)
    plural = "|".join(f"(?<={name})s" for name in _WITH_PLURAL)
    plain = "|".join(_PLAIN_TOKENS)
    return re.compile(
        rf"(?!(?:.*_)?(?:{plain})_?token$)(?:(?:.*_)?(?:{secret})|.*(?:{passwords}))(?:{plural})?$"
    )


_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"


def _judge(name: str) -> bool:
    words = [word.lower() for word in re.findall(_WORD, name)]
    while words and words[-1].isdigit():  # OPENAI_API_KEY_2
        del words[-1]
    return _secret_name().match("_".join(words)) is not None


_judge_again = lru_cache(maxsize=1024)(_judge)


def is_secret_name(name: str) -> bool:
    """Whether a mapping key, parameter, header or variable of this name holds a credential.

    Snake, kebab, camel and upper case are one: ``api_key``, ``X-API-Key``, ``apiKey``, ``OPENAI_API_KEY``.
    Counts, positions and plain keys are none: ``max_tokens``, ``next_page_token``, ``key``, ``primary_key``.
    The same tables decide for names found in text by :func:`redact`. Of a longer name the last 96
    characters count.
    """
    if len(name) > _LONGEST_NAME:
        return _judge(name[-_LONGEST_NAME:])  # not kept: the cache must not hold what others make up
    return _judge_again(name)


# ------------------------------------------------------------------------------------------------------------
# The cheap test
# ------------------------------------------------------------------------------------------------------------

# Keys known by shape hold a run of 20 of these; one translation and one substring search find any.
_RUN_TABLE = bytes(ord("x") if chr(c) in f"{_ALNUM}_-" else ord(" ") for c in range(256))
_RUN = b"x" * 20

# For names: what may stand inside or behind one is dropped, what may part it from its value becomes ":".
_NAME_TABLE = bytes(range(256)).lower().translate(bytes.maketrans(b"=,>", b":::"))
_NAME_DROPPED = b" .\t\"'\\`*[](){}_-0123456789"


@cache
def _name_hint() -> re.Pattern[str]:
    """A ":" behind the end of any secret name."""
    names = {name.replace(" ", "") for name in (*_PASSWORD_NAMES, *_SECRET_NAMES)}
    names |= {name + "s" for name in names if name.endswith(_WITH_PLURAL)}
    names |= {mark + "key" for mark in "?&;u"}  # the value of "code" is found by its length
    # A look behind has one width. Three letters first: nearly every ":" fails there, at a third of the cost.
    last_three = "|".join(sorted({re.escape(name[-3:]) for name in names}))
    by_width: dict[int, set[str]] = {}
    for name in names:
        by_width.setdefault(min(len(name), 6), set()).add(re.escape(name[-6:]))
    ends = "|".join(f"(?<=(?:{'|'.join(sorted(tails))}):)" for tails in by_width.values())
    return re.compile(f":(?<=(?:{last_three}):)(?:{ends})")


def _may_hold_credential(text: str) -> bool:
    """False only if :func:`_mask` would change nothing. Searching for a fixed string is what costs least."""
    if "--" in text or ("@" in text and ("//" in text or r"\/" in text)):
        return True
    data = text.encode("utf-8", "replace")
    if data.translate(_RUN_TABLE).find(_RUN) >= 0:  # "in" is three times slower on bytes
        return True
    folded = data.translate(_NAME_TABLE, _NAME_DROPPED).decode("latin-1")
    return (
        "bearer" in folded
        or "basic" in folded
        or "privatekey" in folded
        or (":" in folded and _name_hint().search(folded) is not None)
    )


# ------------------------------------------------------------------------------------------------------------
# The close look
# ------------------------------------------------------------------------------------------------------------


_MOST_ROUNDS = 8


def redact(text: str) -> str:
    """The text with its credentials replaced by :data:`MASK`, everything else untouched (SE-2).

    Masked are keys of known shape, values behind names for which :func:`is_secret_name` holds, values of
    headers that authorise, passwords in URLs and connection strings, private keys and JSON Web Tokens; also
    inside JSON, JSON inside a JSON string, and reprs. Text that is JSON stays JSON. Takes any string, raises
    nothing, takes time linear in its length, and ``redact(redact(text)) == redact(text)``.
    """
    if _may_hold_credential(text):
        # What is masked may change how its neighbours read: a key that ran into the next. Twice is nearly
        # always enough, and the bound keeps the time linear.
        for _ in range(_MOST_ROUNDS):
            masked = _mask(text)
            if masked == text:
                break
            text = masked
    return text


def _mask(text: str) -> str:
    if "PRIVATE KEY" in text:
        text = _replace(text, _private_keys(text))
    if "@" in text:
        text = _user_info().sub(_without_password, text)
    text = _replace(text, iter(_Values(text)))
    text = _replace(text, _scheme_tokens(text))
    text = _secret_path().sub(rf"\1{MASK}", text)
    return _shape().sub(MASK, text)


def _replace(text: str, spans: Iterator[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, instead in spans:
        parts += text[done:start], instead
        done = end
    parts.append(text[done:])
    return "".join(parts)


@cache
def _shape() -> re.Pattern[str]:
    # Sorted by first character and that character first: the engine then skips to the next one that can start
    # a key. The test of what precedes it comes after it. A letter that ends an escape (\n, \u0026, %3D, a
    # colour) is no word.
    begins = (
        r"(?:(?<![A-Za-z0-9].)|(?<=\\[bfnrt].)|(?<=\\u[0-9A-Fa-f]{4}.)|(?<=\\x[0-9A-Fa-f]{2}.)"
        r"|(?<=%[0-9A-Fa-f]{2}.)|(?<=[0-9]m.))"
    )
    rests: dict[str, list[str]] = {}
    for _, shape in _SHAPES:
        rests.setdefault(shape[0], []).append(shape[1:])
    return re.compile(
        # To the end of the word: or else what follows would begin one when masked again.
        "|".join(
            f"{first}{begins if first.isalnum() else ''}(?:{'|'.join(rest)})[A-Za-z0-9]*"
            for first, rest in rests.items()
        ),
        re.ASCII | re.DOTALL,
    )


@cache
def _secret_path() -> re.Pattern[str]:
    return re.compile(rf"({'|'.join(path for _, path in _SECRET_PATHS)})[\w@/:.-]{{20,}}", re.ASCII)


# ---- user:password@host ----


@cache
def _user_info() -> re.Pattern[str]:
    # The password reaches to the last "@" before the path. One with a "/" of its own is believed only where
    # no port could stand, and bounded, since it may run over the next "://".
    return re.compile(
        r"(:\\?/\\?/[^\s/?#\"'`\\<>@:]*:)"
        r"(?:([^\s/?#\"'`\\<>]+)|(?![0-9]*(?:[/?#]|\Z))([^\s\"'`\\<>]{1,256}))@"
    )


def _without_password(found: re.Match[str]) -> str:
    return found[0] if _is_placeholder(found[2] or found[3]) else f"{found[1]}{MASK}@"


# ---- Bearer and Basic outside of a header ----


@cache
def _scheme() -> re.Pattern[str]:
    return re.compile(
        r"(?<![A-Za-z])(?:[Bb]earer|BEARER|([Bb]asic|BASIC))(?:[ \t]|%20){1,8}([A-Za-z0-9._~+/-]{8,}={0,2})"
    )


def _scheme_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while found := _scheme().search(text, at):
        at, end = found.span(2)
        # Only beginnings decide: with its end masked, a token must not look more like one than before.
        if (
            _holds_password(found[2])
            if found[1]
            else re.match("[A-Za-z._~+/-]{0,256}[0-9]|[A-Za-z+/~]{20}", found[2])
        ):
            yield at, end, MASK
            at = end


def _holds_password(token: str) -> bool:
    """Whether these are user and password in base64, and not a word as in "Basic authentication"."""
    characters = len(token) - len(token.lstrip(_BASE64))
    return b":" in a2b_base64(token[: characters // 4 * 4])


# ---- -----BEGIN PRIVATE KEY----- ----

_BASE64 = f"{_ALNUM}+/"
_BASE64_LINES = f"{_BASE64}=\r\n\\"


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """What stands between the two lines; of a key that is cut off, what still looks like one."""
    edges = list(re.finditer(r"-----(BEGIN|END) ([A-Z0-9 ]{0,40})-----", text))
    for index, edge in enumerate(edges):
        if "PRIVATE KEY" not in edge[2]:
            continue
        before, after = edges[index - 1 : index], edges[index + 1 : index + 2]
        if edge[1] == "BEGIN":
            start, end = edge.end(), after[0].start() if after else len(text)
            if not (after and after[0][1] == "END") or '"' in text[start:end]:
                end -= len(_behind_base64(text[start:end]))
        elif not (before and before[0][1] == "BEGIN"):
            start, end = before[0].end() if before else 0, edge.start()
            start += len(text[start:end].rstrip(_BASE64_LINES))
        else:
            continue
        end = start + len(text[start:end].rstrip("\\"))  # of the quote that follows
        if start < end and text[start:end] != MASK:
            yield start, end, MASK


def _behind_base64(body: str) -> str:
    """What is left behind the lines of a key without an end. Blanks may have joined them."""
    body = body.lstrip(" ").lstrip(_BASE64_LINES)
    while line := re.match(
        r" [A-Za-z0-9+/]{40}| (?=[A-Za-z]{0,64}[0-9+/=])[A-Za-z0-9+/]{1,64}={0,2}(?![\w-])", body
    ):
        body = body[line.end() :].lstrip(_BASE64_LINES)
    return body


# ---- name = value ----

_NAME_CLOSERS = " \t\"'\\`*])"
_NAME_CHARACTERS = f"{_ALNUM}_-."
_SHORTEST_TOKEN = 6  # of digits behind "token:"; fewer are a count
_SHORTEST_LETTERS = 16  # of letters alone in "token": "…"; fewer are a piece of text
_VALUE_CLOSERS = " \t)]}>.:;!?*"


class _Name:
    """A secret name in a text and what stands around it."""

    __slots__ = ("before", "closing", "separator", "text")

    def __init__(self, text: str, before: str, closing: str, separator: str) -> None:
        self.text = text
        self.before = before  # up to the name, its opening quote included
        self.closing = closing  # the quote that closes it, with its backslashes
        self.separator = separator

    @property
    def is_header(self) -> bool:
        return self.text.lower() in _HEADERS

    @property
    def is_strict(self) -> bool:
        """Whether any word can be the value: of a password, of a header such as x-api-key."""
        text = self.text.lower()
        return text.startswith("x-") or text.rstrip("0123456789_").rstrip("s").endswith(_PASSWORD_NAMES)

    @property
    def is_plain_token(self) -> bool:
        return self.text.lower() == "token"


class _Syntax:
    """The expressions that find names and values."""

    def __init__(self) -> None:
        # "--name value" is a command line, "," parts header and value in pairs, ">" is XML.
        self.separator = re.compile(r"=|:|,|>|--[A-Za-z][A-Za-z0-9-]{1,40}[ ](?=[^\s-])")
        self.last_quote = re.compile(r"(\\{0,15})([\"'`])\Z")
        # ==, =>, blanks; then perhaps b" or SecretStr(" and the quote with its backslashes.
        self.opening = re.compile(r"[=:]?>?[ \t]*(?:(?:[BUbu]|[A-Za-z_.]{1,40}\()?(\\{0,15})([\"'`]))?")
        self.item = re.compile(r"[\s,]*(\\{0,15})([\"'])")
        self.quote = re.compile(r"(?<!\\)(\\*)([\"'`\n])")
        self.end = re.compile(r"[\s\"'`,&;<]|\\[nrtu\"'\\]|\Z")
        self.end_of_field = re.compile(r"[;\n\"'`]|\\[nrtu\"'\\]|\Z")
        structure = r"(?:\s|\\{1,7}[nrt]){0,64}(?:[,:}\])]|\Z)"  # what follows a string in JSON
        self.structure = re.compile(structure)
        self.scheme = re.compile(
            r"(?:bearer|basic|digest|token|api-?key|key|bot|oauth|negotiate|ntlm|dpop|hawk|ssws|signature|splunk"
            r"|hmac|aws4-hmac-sha256|googlelogin)[ \t]+|[a-z-]{1,32}[ \t]+(?=[a-z_-]{0,64}[0-9])",
            re.IGNORECASE,
        )
        self.parameter = re.compile(
            r"[\w.!-]{1,64}="
            rf"(?:(\\{{0,15}})\"(?:\1\"|(?!{structure})[^\"\\\n]{{0,2048}}\1\")|[^\s,\"'\\]*)"
        )
        self.next_parameter = re.compile(r"(?:(?<=;)|[,;])[ \t]*(?=[\w.!-]{1,64}=)")


@cache
def _syntax() -> _Syntax:
    return _Syntax()  # on first use: compiling takes longer than importing the package


class _Values:
    """The values behind secret names in one text, from left to right; none is looked at twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.syntax = _syntax()

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        at = 0
        while separator := self.syntax.separator.search(self.text, at):
            at = separator.end()
            name = self._name(separator)
            if name is None:
                continue
            for start, end in self._spans(name, at):
                value = self.text[start:end]
                if not _is_placeholder(value):
                    bare = name.separator == ":" and name.closing and not self._is_quoted(start)
                    # A bare value in JSON is a number: with the quotes of its name it stays JSON.
                    yield start, end, f"{name.closing}{MASK}{name.closing}" if bare else MASK
                    at = end

    def _is_quoted(self, start: int) -> bool:
        return self.text[start - 1] in "\"'`"

    def _name(self, separator: re.Match[str]) -> _Name | None:
        """The name that the separator ends, if its value is a credential."""
        mark = separator[0]
        if mark[:2] == "--":
            return _Name(mark[2:-1], "", "", " ") if is_secret_name(mark) else None
        whole = self.text[max(0, separator.start() - 2 * _LONGEST_NAME) : separator.start()]
        head = whole.rstrip(_NAME_CLOSERS)
        before = head.rstrip(_NAME_CHARACTERS)
        text, closers = head[len(before) :], whole[len(head) :]
        if MASK in closers or not text[-1:].isalnum() or before[-2:] == "//":  # a user in a URL
            return None
        closing = self._innermost_quote(closers.rstrip(" \t*])`"))
        if before[-1:] == "\\":  # the letter of an escape before the name is no part of it
            before += "&" if text[:5] == "u0026" else " "
            text = text[5:] if re.match("u[0-9A-Fa-f]{4}", text) else text[1:]
        name = _Name(text, before, closing, mark)
        if mark == ",":
            fits = self._is_pair(name)
        elif mark == ">":
            fits = before[-1:] == "<"
        else:
            fits = True
        return name if fits and self._is_secret(name) else None

    def _innermost_quote(self, closers: str) -> str:
        """The quote at the end with the backslashes of its own: the name may end in one as well."""
        quote = self.syntax.last_quote.search(closers)
        if quote is None:
            return ""
        return "\\" * (_level(len(quote[1])) - 1) + quote[2]

    def _is_secret(self, name: _Name) -> bool:
        if name.text in _QUERY_NAMES:
            if name.separator == "=" and name.before.endswith(("?", "&", "&amp;")):
                return True
        elif name.separator != ":" and is_secret_name(name.text):
            return True
        # "API key: …" and "unexpected token: …" are decided by the word before.
        if name.before[-1:] == " " and not name.closing:
            words = name.before[:-1]
            return is_secret_name(f"{words[len(words.rstrip(_NAME_CHARACTERS)) :]} {name.text}")
        return is_secret_name(name.text)

    def _is_pair(self, name: _Name) -> bool:
        """Pairs of header and value, in reprs and lists; and the arguments of a command line."""
        return bool(name.closing) and (
            name.text[:2] == "--"
            or (
                (name.is_header or "-" in name.text)
                and name.before.rstrip("\"'\\").rstrip("b")[-1:] in ("(", "[")
            )
        )

    def _spans(self, name: _Name, at: int) -> Iterator[tuple[int, int]]:
        text = self.text
        if name.separator == ">":
            end = text.find("</", at, at + 4096)
            if end >= 0:
                yield at, end
            return
        opening = self.syntax.opening.match(text, at)
        assert opening is not None  # it may be empty  # noqa: S101
        start = opening.end()
        if opening[2]:
            if self._ends_string(name, opening):
                return
            end, closed = self._closing(start, opening[1], opening[2])
            if closed or opening[2] == '"':
                if not self._is_piece(name, start, end):
                    yield start, end
                return
        elif text[start : start + 1] == "{":
            return
        elif text[start : start + 1] in ("[", "("):
            yield from self._items(name, start + 1)
            return
        elif name.separator == ",":
            return
        yield from self._bare(name, start)

    def _ends_string(self, name: _Name, quote: re.Match[str]) -> bool:
        """Whether this is the quote behind a string that ends in "password:", not one before a value."""
        like_name = name.closing == quote[1] + quote[2]
        return not like_name and self.syntax.structure.match(self.text, quote.end()) is not None

    def _is_piece(self, name: _Name, start: int, end: int) -> bool:
        """Whether a quoted value is none: a piece of text with its log probability, one half of no pair."""
        if name.separator == "," and name.text[:2] != "--":
            return re.compile(r"\\*[\"'][ ]*[)\]]").match(self.text, end) is None
        if name.separator != ":" or not name.is_plain_token:
            return False
        value = self.text[start:end]
        is_mixed = re.search("[0-9]", value) and re.search("[A-Za-z]", value)
        return len(value) < _SHORTEST_LETTERS and not is_mixed

    def _items(self, name: _Name, at: int) -> Iterator[tuple[int, int]]:
        """The strings of a list; with blanks they are messages: {"password": ["Field is required."]}."""
        item = self.syntax.item.match(self.text, at)
        if item is None and not name.closing:
            yield from self._bare(name, at)  # map[Authorization:[Bearer …]]
        while item is not None and not self._ends_string(name, item):
            end, closed = self._closing(item.end(), item[1], item[2])
            if name.is_header or not re.search(r"\s", self.text[item.end() : end]):
                yield item.end(), end
            item = self.syntax.item.match(self.text, end + len(item[1]) + 1) if closed else None

    def _bare(self, name: _Name, start: int) -> Iterator[tuple[int, int]]:
        """A value without quotes of its own."""
        text = self.text
        end = 0
        if name.is_header:
            around = self.syntax.last_quote.search(name.before[-16:])
            closed = False
            if around and not name.closing:  # "Authorization: …": up to the quote
                end, closed = self._closing(start, around[1], around[2])
            if not closed:
                end = self._header_end(start)
        elif name.separator == "=" and name.before[-1:] == ";":  # Server=…;Password=may hold blanks;…
            end = self._end_of_field(start)
        else:
            end = self._end(start)
        if _is_placeholder(text[start:end]):  # ${NAME}, before its last character is taken off
            return
        end = start + len(text[start:end].rstrip(_VALUE_CLOSERS))
        word = text[start:end]
        if name.text == "code" and not re.search(r"[\w-]{20}", word):  # of an OAuth redirect, not of an error
            return
        if name.separator == ":":
            is_prose = word.lower() in _PROSE if name.is_strict else _is_word(word)
            if is_prose or (name.is_plain_token and word.isdigit() and len(word) < _SHORTEST_TOKEN):
                return
        yield start, end

    def _end(self, start: int) -> int:
        found = self.syntax.end.search(self.text, start)
        assert found is not None  # the end of the text is one  # noqa: S101
        return found.start()

    def _end_of_field(self, start: int) -> int:
        found = self.syntax.end_of_field.search(self.text, start)
        assert found is not None  # noqa: S101
        return found.start()

    def _header_end(self, start: int) -> int:
        """The end of "Bearer …", of "Digest a="…", b=…" and of "a=…; b=…"."""
        scheme = self.syntax.scheme.match(self.text, start)
        if scheme is not None:
            start = scheme.end()
        parameter = self.syntax.parameter.match(self.text, start)
        if parameter is None:
            return self._end(start)
        end = parameter.end()
        while (gap := self.syntax.next_parameter.match(self.text, end)) and (
            parameter := self.syntax.parameter.match(self.text, gap.end())
        ):
            end = parameter.end()
        return end

    def _closing(self, start: int, slashes: str, quote: str) -> tuple[int, bool]:
        """Where the string ends that was opened before start, and whether by its own quote."""
        depth = len(slashes)
        own = _level(depth)
        for found in self.syntax.quote.finditer(self.text, start):
            count = len(found[1])
            # What is not JSON in JSON (the repr of one) may have any number of backslashes.
            level, own = (_level(count), own) if own == depth + 1 else (count, depth)
            if found[2] == "\n":
                return found.start(), False
            if found[2] == quote and level == own:
                return found.end() - 1 - depth, True
            if found[2] == '"' and (
                level < own or (quote != '"' and self.syntax.structure.match(self.text, found.end()))
            ):
                return found.start(), False  # a string around it ends
        return len(self.text), False


def _level(backslashes: int) -> int:
    """How deep in JSON a quote behind so many backslashes stands: 1, 2, 4 … for 0, 1, 3 … of its own.

    Before those, escaped backslashes may stand, each twice as long.
    """
    return (backslashes + 1) & -(backslashes + 1)


_LONGEST_PLACEHOLDER = 256


@cache
def _placeholder() -> re.Pattern[str]:
    # With "*" wherever a part of it may have been masked.
    return re.compile(
        r"(?:(?:bearer|basic|token) )?(?:\*+|x{3,}|\.{3}|…)|none|null|nil|undefined|true|false"
        r"|include|omit|same-origin"
        r"|[<\[({]?(?:redacted|masked|hidden|filtered|removed)[>\])}]?|<[\w |*-]*>|\[[A-Za-z _*]*\]"
        r"|\$\{[\w*]+\}|\$(?-i:[A-Z_*]{3,})|\{\{?[^{}]*\}\}?|%s|%\([\w*]+\)s|https?://.*"
        # A file that holds the secret is none.
        r"|[~.]{0,2}/(?:app|data|etc|home|mnt|opt|private|root|run|secrets|srv|tmp|users|usr|var|work"
        r"|workspace)(?:/[\w.*-]*)*|[~.]{0,2}(?:/[\w.*-]+)+\.(?:cer|crt|json|key|p12|pem|pub|toml|txt|ya?ml)",
        re.IGNORECASE,
    )


def _is_placeholder(value: str) -> bool:
    if len(value) > _LONGEST_PLACEHOLDER:
        return False
    return not value or _placeholder().fullmatch(value) is not None


def _is_word(value: str) -> bool:
    """Whether a value behind "token:" is rather the next word of a sentence."""
    return re.fullmatch(r"[A-Za-z]?[a-z_'-]{0,30}", value) is not None
