/** Workflows of Microsoft Teams: an adaptive card in a message. */
import { footOf, lineOf, type Message } from './message.ts'
import { postJson } from './post-json.ts'
import type { Sender } from './sender.ts'

export const sendTeams: Sender = ({ endpoint }, message, tools) =>
  postJson(endpoint, JSON.stringify(teamsBody(message)), {}, tools)

function teamsBody(message: Message) {
  return {
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(message) },
    ],
  }
}

function cardOf(message: Message) {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      line(message.headline, { weight: 'Bolder', size: 'Medium' }),
      ...message.items.map(item => line(lineOf(item))),
      line(footOf(message), { isSubtle: true }),
    ],
  }
}

/** A text in which nothing is Markdown: names have underscores. */
function line(text: string, look: Readonly<Record<string, unknown>> = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...look }] }
}
