/**
 * The formats of secrets: tokens with a known format and passwords in URLs. Used by `redact` (to hide them)
 * and by the check `hard-coded-credentials` (to report them). It knows no values.
 */
import type { Range } from './range.ts'

export interface SecretPattern {
  /** The kind as in a message: "an AWS access key". */
  readonly kind: string
  /** Matches exactly the secret. Global. */
  readonly pattern: RegExp
}

export interface SecretMatch {
  readonly kind: string
  readonly range: Range
}

const secretPatterns: readonly SecretPattern[] = [
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { kind: 'a GitLab token', pattern: /\bglpat-[\w-]{20,}/g },
  { kind: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'a Slack webhook', pattern: /(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g },
  { kind: 'a Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'an API key', pattern: /\bsk-[A-Za-z0-9_-]{20,}/g },
  { kind: 'a Google API key', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'a SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'a Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'a Databricks token', pattern: /\bdapi[0-9a-f]{32}\b/g },
  { kind: 'a Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { kind: 'a Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'a JSON web token', pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g },
  {
    kind: 'a private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----|$)/g,
  },
  { kind: 'an Azure storage key', pattern: /(?<=\bAccountKey=)[A-Za-z0-9+/=]{40,}/g },
  // A port and a path may be in the place of a password: `host:8080/?mail=a@b` has none.
  {
    kind: 'a password in an address',
    pattern: /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"]*:)(?!\d{1,5}[/?#])[^\s'"<>]{1,256}(?=@)/gi,
  },
]

/**
 * One pass that is enough for nearly every text: none of the patterns can match where this does not. It heeds case as
 * they do, which is four times as fast as not to (the one that ignores case has no letters here).
 */
const anySecret =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hooks\.slack|[rs]k_(?:live|test)_|sk-|AIza|SG\.|npm_|hf_|dapi|shp[acps]|SK[0-9a-f]|eyJ|PRIVATE KEY|AccountKey|:\/\/[^\s:/@'"]*:/

/** Finds everything in `text` that has the format of a secret, in text order, without nesting. */
export function findSecrets(text: string): readonly SecretMatch[] {
  if (!anySecret.test(text)) return []
  const matches = secretPatterns.flatMap(({ kind, pattern }) =>
    Array.from(text.matchAll(pattern), match => ({
      kind,
      range: { start: match.index, end: match.index + match[0].length },
    })),
  )
  return withoutOverlaps(matches)
}

function withoutOverlaps(matches: readonly SecretMatch[]): readonly SecretMatch[] {
  const sorted = [...matches].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
  const kept: SecretMatch[] = []
  let end = 0
  for (const match of sorted) {
    if (match.range.start < end) continue
    kept.push(match)
    end = match.range.end
  }
  return kept
}
