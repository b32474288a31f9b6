/** Lists what sends, one line per kind. */
import type { NotifierType } from '@svc/server/language'
import { sendEmail } from './email.ts'
import type { Sender } from './sender.ts'
import { sendSlack } from './slack.ts'
import { sendTeams } from './teams.ts'
import { sendWebhook } from './webhook.ts'

export const senders: Readonly<Record<NotifierType, Sender>> = {
  webhook: sendWebhook,
  slack: sendSlack,
  teams: sendTeams,
  email: sendEmail,
}
