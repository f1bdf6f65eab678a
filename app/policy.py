"""What every answer says about safety: the server sends it, the build writes it to `_headers`, pages carry the policy as <meta>."""

# Scripts and styles come from our own files alone; 'wasm-unsafe-eval' is what compiling WebAssembly needs, and no more than that.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "connect-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
# Who may frame a page cannot be said in a <meta>. Two policies add up: this one is sent beside the other.
UNFRAMED = {"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY"}


def headers(path: str, status: int) -> list[tuple[str, str]]:
    """The headers of the answer at `path`: embeds alone, where there is one, may be framed."""
    framing = {} if path.startswith("/embed/") and status < 400 else UNFRAMED
    return [*HEADERS.items(), *framing.items()]
