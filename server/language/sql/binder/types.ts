/** What the binder asks of types; the engine's own types are behind it. */
export type SqlType = string
