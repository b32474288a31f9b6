// The pages by section, as the README lists them.
import { titleOf } from './title.mjs'

export function navigationOf(readme) {
  const [, list = ''] = /^## Documentation\n([\s\S]*?)^## /m.exec(readme) ?? []
  return list
    .split(/^\*\*(?=\w)/m)
    .slice(1)
    .map(section => {
      const [, title = '', text = ''] = /^(\w+)\*\*:?([\s\S]*)$/.exec(section) ?? []
      const links = [...text.matchAll(/\]\(docs\/([^)#]+)\.md/g)].map(([, path]) => path)
      return { title, pages: links.map(path => ({ name: titleOf(`docs/${path}.md`), url: `${path}.html` })) }
    })
}
