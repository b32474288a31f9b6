// The index of all pages, a document for each heading with the text below it.
import MiniSearch from 'minisearch'

/** As scripts/site/search.js reads it. */
export const searchFields = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'text', 'url'],
}

export function searchIndex(pages) {
  const index = new MiniSearch(searchFields)
  index.addAll(pages.flatMap(sectionsOf).map((section, id) => ({ id, ...section })))
  return index
}

function sectionsOf({ url, html }) {
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? []
  const page = plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? '')
  return main
    .split(/(?=<h[1-6] id=")/)
    .map(part => {
      const [head = '', , id = '', title = ''] =
        /^<h([1-6]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/.exec(part) ?? []
      return {
        page,
        heading: plain(title),
        text: plain(part.slice(head.length)),
        url: id === '' ? url : `${url}#${id}`,
      }
    })
    .filter(({ page: name, heading }) => name !== '' && heading !== '')
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function plain(html) {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim()
}
