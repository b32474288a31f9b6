// Links and headings of the pages as they are in the repository, made those of the site.
import { posix } from 'node:path'

/** Gives each heading the name that links to it have: that of GitHub. */
export function githubSlugs(md) {
  md.core.ruler.push('slugs', state => {
    const taken = new Map()
    state.tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return
      token.attrSet('id', freeSlug(textOf(state.tokens[index + 1]), taken))
    })
  })
}

function textOf(inline) {
  const parts = inline?.children ?? []
  return parts.map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : '')).join('')
}

function freeSlug(text, taken) {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = taken.get(slug) ?? 0
  taken.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

/** A page of the repository is a page of the site; what is beside docs/ is named, and not led to. */
export function pageLink(md) {
  md.core.ruler.push('links', state => {
    const folder = posix.dirname(state.env.page.filePathStem)
    for (const { children } of state.tokens) {
      let isInside = true
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? ''
          isInside = isOnSite(href, folder)
          token.attrs = isInside ? [['href', hrefOf(href)]] : []
        }
        if (!isInside && token.type.startsWith('link_')) token.tag = 'span'
      }
    }
  })
  // The steps of a page that tests follow stand in comments.
  const { html_block: block, html_inline: inline } = md.renderer.rules
  md.renderer.rules.html_block = (tokens, index, ...rest) => withoutComments(block(tokens, index, ...rest))
  md.renderer.rules.html_inline = (tokens, index, ...rest) => withoutComments(inline(tokens, index, ...rest))
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, file] = tokens[index].info.trim().split(/\s+/)
    const caption = file === undefined ? '' : `<p class="file">${md.utils.escapeHtml(file)}</p>\n`
    // Who has no mouse scrolls a long line by its keys.
    return caption + fence(tokens, index, ...rest).replace('<pre>', '<pre tabindex="0">')
  }
}

/** `folder` is that of the page, from the folder of all pages: `/hosted`. */
function isOnSite(href, folder) {
  return isElsewhere.test(href) || !posix.join(`.${folder}`, href).startsWith('..')
}

const isElsewhere = /^[a-z]+:|^#/i

function hrefOf(href) {
  if (isElsewhere.test(href)) return href
  const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? []
  return path.replace(/\.md$/, '.html') + anchor
}

function withoutComments(html) {
  return html.replace(/<!--[\s\S]*?-->\n?/g, '')
}
