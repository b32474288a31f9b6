/** Lists the kinds of notifier, one line per kind, in the order of the reference and of completion. */
import { email } from './email.ts'
import type { NotifierKind } from './notifier-kind.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const kinds = { webhook, slack, teams, email } as const satisfies Readonly<Record<string, NotifierKind>>

export type NotifierType = keyof typeof kinds

export const notifierKinds: readonly NotifierKind[] = Object.values(kinds)
