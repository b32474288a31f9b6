import { webhookOfSecret } from './shared-keys.ts'

export const teams = webhookOfSecret(
  'teams',
  'A channel of Microsoft Teams, by a workflow that takes adaptive cards.',
)
