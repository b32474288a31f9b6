/** Services whose answers hold a token of the next page. */
import { marked, orNone, orNull, type PagingService, part, startOf, token, tokened } from './ask.ts'

export const services: readonly PagingService[] = [
  {
    name: 'Slack',
    explicit: '{type: cursor, path: response_metadata.next_cursor, param: cursor}',
    answer(ask) {
      const { items, next } = tokened(ask, 'cursor')
      return { body: { ok: true, channels: items, response_metadata: { next_cursor: next ?? '' } } }
    },
  },
  {
    name: 'Notion, a query',
    lines: ['method: POST', 'body: {page_size: 10}'],
    answer(ask) {
      const { items, next, hasMore } = marked(ask, ask.body['start_cursor'])
      return { body: { object: 'list', results: items, next_cursor: next, has_more: hasMore } }
    },
  },
  {
    name: 'Notion, a list',
    explicit: '{type: cursor, path: next_cursor, param: start_cursor, more: has_more}',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'start_cursor')
      return { body: { object: 'list', results: items, next_cursor: next, has_more: hasMore } }
    },
  },
  {
    name: 'Google',
    explicit: '{type: cursor, path: nextPageToken, param: pageToken}',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'pageToken')
      return { body: { kind: 'list', items, ...orNone(hasMore, { nextPageToken: next }) } }
    },
  },
  {
    name: 'Google, as protocol buffers are written',
    answer(ask) {
      const { items, next } = tokened(ask, 'page_token')
      return { body: { items, next_page_token: next ?? '' } }
    },
  },
  {
    name: 'YouTube',
    answer(ask) {
      const { items, next, hasMore, total } = tokened(ask, 'pageToken')
      return {
        body: {
          ...orNone(hasMore, { nextPageToken: next }),
          pageInfo: { totalResults: total, resultsPerPage: 10 },
          items,
        },
      }
    },
  },
  {
    name: 'Zoom',
    explicit: '{type: cursor, path: next_page_token, param: next_page_token}',
    answer(ask) {
      const { items, next, total, pages } = tokened(ask, 'next_page_token')
      return {
        body: {
          page_count: pages,
          page_size: 10,
          total_records: total,
          next_page_token: next ?? '',
          users: items,
        },
      }
    },
  },
  {
    name: 'CircleCI',
    answer(ask) {
      const { items, next } = tokened(ask, 'page-token')
      return { body: { items, next_page_token: next } }
    },
  },
  {
    name: 'Dfns',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'paginationToken')
      return { body: { items, ...orNone(hasMore, { nextPageToken: next }) } }
    },
  },
  {
    name: 'a cursor after, with the flag of its end',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'after')
      return { body: { data: items, paging: { cursors: { after: next ?? 'end' }, has_next: hasMore } } }
    },
  },
  {
    name: 'X (Twitter) 2',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'pagination_token')
      return {
        body: { data: items, meta: { result_count: items.length, ...orNone(hasMore, { next_token: next }) } },
      }
    },
  },
  {
    name: 'HubSpot without a link',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'after')
      return { body: { results: items, ...orNone(hasMore, { paging: { next: { after: next } } }) } }
    },
  },
  {
    name: 'Intercom',
    answer(ask) {
      const { items, next, hasMore, pages, total } = tokened(ask, 'starting_after')
      const more = orNone(hasMore, { next: { page: 2, starting_after: next } })
      return {
        body: {
          type: 'list',
          data: items,
          total_count: total,
          pages: { type: 'pages', ...more, page: 1, per_page: 10, total_pages: pages },
        },
      }
    },
  },
  {
    name: 'Airtable',
    explicit: '{type: cursor, path: offset, param: offset}',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'offset')
      return { body: { records: items, ...orNone(hasMore, { offset: next }) } }
    },
  },
  {
    name: 'Zendesk, cursors without links',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'page[after]')
      return { body: { tickets: items, meta: { has_more: hasMore, after_cursor: next } } }
    },
  },
  {
    name: 'Square',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'cursor')
      return { body: { payments: items, ...orNone(hasMore, { cursor: next }) } }
    },
  },
  {
    name: 'Twitch',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'after')
      return { body: { data: items, pagination: { ...orNone(hasMore, { cursor: next }) } } }
    },
  },
  {
    name: 'Reddit',
    answer(ask) {
      const { items, next } = tokened(ask, 'after')
      return { body: { kind: 'Listing', data: { after: next, before: null, children: items } } }
    },
  },
  {
    name: 'Chargebee',
    answer(ask) {
      const own = tokened(ask, 'offset')
      return { body: { list: own.items, ...orNone(own.hasMore, { next_offset: own.next }) } }
    },
  },
  {
    name: 'Lever',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'offset')
      return { body: { data: items, hasNext: hasMore, ...orNone(hasMore, { next }) } }
    },
  },
  {
    name: 'Auth0, checkpoints',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'from')
      return { body: { users: items, ...orNone(hasMore, { next }) } }
    },
  },
  {
    name: 'Recurly',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'cursor')
      return {
        body: {
          object: 'list',
          has_more: hasMore,
          next: orNull(hasMore, `${new URL(ask.here).pathname}?cursor=${next}`),
          data: items,
        },
      }
    },
  },
  {
    name: 'Vultr',
    answer(ask) {
      const { items, next, total } = tokened(ask, 'cursor')
      return { body: { instances: items, meta: { total, links: { next: next ?? '', prev: '' } } } }
    },
  },
  {
    name: 'Jira, the new search',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'nextPageToken')
      return { body: { issues: items, isLast: !hasMore, ...orNone(hasMore, { nextPageToken: next }) } }
    },
  },
  {
    name: 'Solr, cursor marks',
    lines: ['params: {cursorMark: "*"}'],
    answer(ask) {
      const asked = ask.query.get('cursorMark')
      const own = part(ask, startOf(asked))
      return {
        body: {
          response: { numFound: own.total, start: 0, docs: own.items },
          nextCursorMark: own.items.length === 0 ? asked : token(own.end),
        },
      }
    },
  },
  {
    name: 'Crossref: a cursor that never ends',
    lines: ['params: {cursor: "*"}'],
    answer(ask) {
      const own = part(ask, startOf(ask.query.get('cursor')))
      return {
        body: {
          status: 'ok',
          message: {
            'total-results': own.total,
            'items-per-page': 10,
            items: own.items,
            'next-cursor': token(own.end),
          },
        },
      }
    },
  },
  {
    name: 'Laravel Forge: page[cursor]',
    answer(ask) {
      const { items, next } = tokened(ask, 'page[cursor]')
      return { body: { data: items, meta: { next_cursor: next, prev_cursor: null, per_page: 10 } } }
    },
  },
  {
    name: 'a flag as a number beside a cursor',
    explicit: '{type: cursor, path: cursor, param: cursor, more: has_more}',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'cursor')
      return { body: { items, cursor: next ?? 'end', has_more: hasMore ? '1' : '0' } }
    },
  },
  {
    name: 'Kubernetes',
    answer(ask) {
      const { items, next, total, end, hasMore } = tokened(ask, 'continue')
      return {
        body: {
          kind: 'PodList',
          metadata: {
            resourceVersion: '5',
            ...orNone(hasMore, { continue: next, remainingItemCount: total - end }),
          },
          items,
        },
      }
    },
  },
  {
    name: 'MediaWiki',
    answer(ask) {
      const own = part(ask, startOf(ask.query.get('cmcontinue')))
      return {
        body: {
          ...orNone(own.hasMore, { continue: { cmcontinue: token(own.end), continue: '-||' } }),
          query: { categorymembers: own.items },
        },
      }
    },
  },
  {
    name: 'GraphQL connection',
    lines: [
      'method: POST',
      'body: {query: "query ($after: String) { orders(first: 10, after: $after) { nodes { id } } }", variables: {}}',
    ],
    explicit:
      '{type: cursor, path: data.orders.pageInfo.endCursor, more: data.orders.pageInfo.hasNextPage, param: variables.after, in: body}',
    answer(ask) {
      const { items, next, hasMore } = marked(
        ask,
        (ask.body['variables'] as { after?: string } | undefined)?.after,
      )
      return {
        body: {
          data: { orders: { nodes: items, pageInfo: { hasNextPage: hasMore, endCursor: next ?? 'end' } } },
        },
      }
    },
  },
  {
    name: 'GraphQL connection without a variable',
    lines: ['method: POST', 'body: {query: "{ orders(first: 10) { nodes { id } } }"}'],
    cannotBeFollowed: true,
    answer(ask) {
      const { items, next, hasMore } = marked(ask, undefined)
      return {
        body: { data: { orders: { nodes: items, pageInfo: { hasNextPage: hasMore, endCursor: next } } } },
      }
    },
  },
  {
    name: 'a token of a name that nobody knows',
    cannotBeFollowed: true,
    answer(ask) {
      const { items, next } = tokened(ask, 'somewhere')
      return { body: { things: items, nextChunkId: next } }
    },
  },
]
