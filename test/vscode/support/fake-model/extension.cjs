// A language model of the editor: what it answers depends on what svc asks it for, by the words of its question alone.
const { chat, LanguageModelTextPart, lm } = require('vscode')

const explanation = {
  ingested: 'Nothing: it reads paid_orders.',
  transformation: 'Sums the amounts of each day.',
  output: 'One row a day.',
  dependencies: 'paid_orders',
  purpose: 'The revenue of the shop.',
}

/** The SQL of daily_revenue with the name that was misspelt. */
const repair = transform => ({
  summary: 'The column is called amount.',
  ops: [{ op: 'replace', path: '/transform', value: transform.replaceAll('amuont', 'amount') }],
})

function answerTo(question) {
  const transform = /"transform": *("(?:[^"\\]|\\.)*amuont(?:[^"\\]|\\.)*")/.exec(question)?.[1]
  return transform === undefined ? explanation : repair(JSON.parse(transform))
}

const provider = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'fake-1',
      name: 'Fake 1',
      family: 'fake',
      version: '1',
      maxInputTokens: 200_000,
      maxOutputTokens: 8_000,
      isUserSelectable: true,
      isDefault: true,
      capabilities: { toolCalling: true },
    },
  ],
  provideLanguageModelChatResponse(_model, messages, _options, progress) {
    const question = messages.flatMap(({ content }) => content.map(({ value }) => value)).join('\n')
    const text = JSON.stringify(answerTo(question))
    progress.report(new LanguageModelTextPart(text.slice(0, 20)))
    progress.report(new LanguageModelTextPart(text.slice(20)))
  },
  provideTokenCount: (_model, text) => (typeof text === 'string' ? text.length : 100),
}

exports.activate = context => {
  context.subscriptions.push(
    lm.registerLanguageModelChatProvider('svc-tests', provider),
    // Without somebody whom questions go to that name nobody, there is no chat.
    chat.createChatParticipant('svc-tests.chat', (_request, _context, stream) => {
      stream.markdown('Nobody was named.')
    }),
  )
}
