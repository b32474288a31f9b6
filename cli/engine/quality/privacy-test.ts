/** The interface of the tests of personal data that svc adds by itself. */
import type { privacyTests } from '@svc/server/contract'
import type { Asset } from '@svc/server/language'

/** One question about a build: it passes if nothing is found. */
export interface PrivacyTest {
  readonly asset: Asset
  readonly name: (typeof privacyTests)[number]
  /** What it depends on besides the build; a passed test with the same text stands. */
  readonly question: string
  find(): Promise<Finding | undefined>
}

export interface Finding {
  readonly column: string | null
  readonly failures: number
  readonly message: string
}
