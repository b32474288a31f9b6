/** Slack's incoming webhooks: a text for the notification and blocks for the channel. */
import { footOf, lineOf, type Message } from './message.ts'
import { postJson } from './post-json.ts'
import type { Sender } from './sender.ts'

export const sendSlack: Sender = ({ endpoint }, message, tools) =>
  postJson(endpoint, JSON.stringify(slackBody(message)), {}, tools)

/** The limits of Slack, in characters. */
const longest = { header: 150, section: 2_900 }

function slackBody(message: Message) {
  const { headline, items } = message
  const lines = items.map(item => `• ${escaped(lineOf(item))}`).join('\n')
  return {
    text: escaped(headline),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(headline, longest.header), emoji: false } },
      { type: 'section', text: { type: 'mrkdwn', text: cut(lines, longest.section), verbatim: true } },
      { type: 'context', elements: [{ type: 'plain_text', text: footOf(message), emoji: false }] },
    ],
  }
}

/** These three characters begin links and mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
