import { webhookOfSecret } from './shared-keys.ts'

export const slack = webhookOfSecret('slack', 'A channel of Slack, by an incoming webhook.')
