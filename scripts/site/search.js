// The search of the documentation: no module and no request, so that it works where pages are opened from a folder.
;(() => {
  const most = 30
  const around = 90
  const index = globalThis.MiniSearch.loadJSON(globalThis.svcSearchIndex, {
    fields: ['page', 'heading', 'text'],
    storeFields: ['page', 'heading', 'text', 'url'],
  })
  const input = document.getElementById('q')
  const state = document.getElementById('state')
  const list = document.getElementById('results')

  function search(words) {
    const options = { boost: { heading: 4, page: 2 }, prefix: true }
    const all = index.search(words, { ...options, combineWith: 'AND' })
    return all.length > 0 ? all : index.search(words, { ...options, combineWith: 'OR', fuzzy: 0.2 })
  }

  function show() {
    const words = input.value.trim()
    const found = words === '' ? [] : search(words)
    list.replaceChildren(...found.slice(0, most).map(item))
    state.textContent =
      words === ''
        ? 'Type what you look for.'
        : found.length === 0
          ? `Nothing has "${words}".`
          : `${found.length === 1 ? '1 place' : `${found.length} places`}${found.length > most ? `, the best ${most}` : ''}`
  }

  function item({ page, heading, text, url, terms }) {
    const link = document.createElement('a')
    link.href = url
    link.textContent = page === heading ? page : `${page} › ${heading}`
    const words = document.createElement('p')
    words.textContent = excerpt(text, terms)
    const entry = document.createElement('li')
    entry.append(link, words)
    return entry
  }

  function excerpt(text, terms) {
    const lower = text.toLowerCase()
    const places = terms.map(term => lower.indexOf(term)).filter(place => place >= 0)
    const start = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - around)
    const end = start + 3 * around
    return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  }

  input.value = new URLSearchParams(location.search).get('q') ?? ''
  input.addEventListener('input', show)
  input.form.addEventListener('submit', event => {
    event.preventDefault()
    show()
  })
  input.focus()
  show()
})()
