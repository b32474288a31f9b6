/** Services that say in headers what there is. */
import { address, marked, numberIn, type PagingService, paged, part, skipped, token, tokened } from './ask.ts'

export const services: readonly PagingService[] = [
  {
    name: 'GitHub: Link',
    explicit: 'link_header',
    answer(ask) {
      const { items, number, pages, hasMore } = paged(ask, 'page')
      const links = [
        ...(hasMore ? [`<${address(ask, `page=${number + 1}`)}>; rel="next"`] : []),
        `<${address(ask, `page=${pages}`)}>; rel="last"`,
      ]
      return { headers: { link: links.join(', ') }, body: items }
    },
  },
  {
    name: 'GitHub, a search',
    answer(ask) {
      const { items, number, hasMore, total } = paged(ask, 'page')
      const link = hasMore ? { link: `<${address(ask, `page=${number + 1}`)}>; rel="next"` } : {}
      return { headers: link, body: { total_count: total, incomplete_results: false, items } }
    },
  },
  {
    name: 'Sentry: Link with results',
    answer(ask) {
      const { items, next, hasMore, end } = tokened(ask, 'cursor')
      return {
        headers: {
          link: `<${ask.here}>; rel="previous"; results="false", <${address(ask, `cursor=${next ?? token(end)}`)}>; rel="next"; results="${hasMore}"; cursor="x"`,
        },
        body: items,
      }
    },
  },
  {
    name: 'GitLab without Link',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      return {
        headers: {
          'x-total': String(total),
          'x-total-pages': String(pages),
          'x-page': String(number),
          'x-per-page': '10',
          'x-next-page': hasMore ? String(number + 1) : '',
        },
        body: items,
      }
    },
  },
  {
    name: 'WordPress',
    explicit: '{type: page, param: page, total: "header:X-WP-TotalPages"}',
    answer(ask) {
      const { items, pages, total } = paged(ask, 'page')
      return { headers: { 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) }, body: items }
    },
  },
  {
    name: 'X-Total-Count and per_page',
    lines: ['params: {per_page: 10}'],
    answer: ask => ({
      headers: { 'x-total-count': String(ask.records.length) },
      body: paged(ask, 'page').items,
    }),
  },
  {
    name: 'X-Total-Count and limit',
    lines: ['params: {limit: 10}'],
    answer: ask => ({
      headers: { 'x-total-count': String(ask.records.length) },
      body: skipped(ask, 'offset').items,
    }),
  },
  {
    name: 'json-server: _page and _limit',
    lines: ['params: {_page: 1, _limit: 10}'],
    answer: ask => ({
      headers: { 'x-total-count': String(ask.records.length) },
      body: paged(ask, '_page').items,
    }),
  },
  {
    name: 'only X-Total-Count',
    cannotBeFollowed: true,
    answer: ask => ({ headers: { 'x-total-count': String(ask.records.length) }, body: part(ask, 0).items }),
  },
  {
    name: 'only Total-Count',
    cannotBeFollowed: true,
    answer: ask => ({ headers: { 'total-count': String(ask.records.length) }, body: part(ask, 0).items }),
  },
  {
    name: 'Yii',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return {
        headers: {
          'x-pagination-total-count': String(total),
          'x-pagination-page-count': String(pages),
          'x-pagination-current-page': String(number),
          'x-pagination-per-page': '10',
        },
        body: items,
      }
    },
  },
  {
    name: 'Rainforest QA',
    answer(ask) {
      const { items, number, pages, total } = paged(ask, 'page')
      return {
        headers: {
          'x-total-pages': String(pages),
          'x-current-page': String(number),
          'x-per-page': '10',
          'x-total-results': String(total),
        },
        body: items,
      }
    },
  },
  {
    name: 'ASP.NET: X-Pagination is JSON',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'pageNumber')
      return {
        headers: {
          'x-pagination': JSON.stringify({
            TotalCount: total,
            PageSize: 10,
            CurrentPage: number,
            TotalPages: pages,
            HasNext: hasMore,
          }),
        },
        body: items,
      }
    },
  },
  {
    name: 'Captain Data: X-Pagination-Next',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return {
        headers: {
          'x-pagination-next': hasMore ? address(ask, `page=${number + 1}`) : 'null',
          'x-pagination-previous': 'null',
        },
        body: items,
      }
    },
  },
  {
    name: 'NHS: Next-Page',
    answer(ask) {
      const { items, end, total, hasMore } = skipped(ask, 'Offset')
      return {
        headers: {
          'x-total-count': String(total),
          'returned-records': String(items.length),
          ...(hasMore && { 'next-page': address(ask, `Offset=${end}`) }),
        },
        body: { Organisations: items },
      }
    },
  },
  {
    name: 'Oracle Cloud: opc-next-page',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'page')
      return { headers: hasMore ? { 'opc-next-page': next ?? '' } : {}, body: items }
    },
  },
  {
    name: 'Azure DevOps: x-ms-continuationtoken',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'continuationToken')
      return {
        headers: hasMore ? { 'x-ms-continuationtoken': next ?? '' } : {},
        body: { count: items.length, value: items },
      }
    },
  },
  {
    name: 'Cosmos: x-ms-continuation both ways',
    answer(ask) {
      const { items, next, hasMore } = marked(ask, ask.headers['x-ms-continuation'])
      return {
        headers: hasMore ? { 'x-ms-continuation': next ?? '' } : {},
        body: { _count: items.length, Documents: items },
      }
    },
  },
  {
    name: 'Heroku: Next-Range',
    explicit: '{type: cursor, header: Next-Range, param: Range, in: header}',
    answer(ask) {
      const own = part(ask, numberIn(/\](\d+)/.exec(ask.headers['range'] ?? '')?.[1], 0))
      const headers = {
        'content-range': 'id ..',
        ...(own.hasMore && { 'next-range': `id ]${own.end}..; max=10` }),
      }
      return { status: own.hasMore ? 206 : 200, headers, body: own.items }
    },
  },
  {
    name: 'X-Next-Cursor',
    explicit: '{type: cursor, header: X-Next-Cursor, param: cursor}',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'cursor')
      return { headers: hasMore ? { 'x-next-cursor': next ?? '' } : {}, body: items }
    },
  },
  {
    name: 'X-Has-More and a page',
    lines: ['params: {page: 1}'],
    answer(ask) {
      const { items, hasMore } = paged(ask, 'page')
      return { headers: { 'x-has-more': String(hasMore) }, body: items }
    },
  },
  {
    name: 'PostgREST: Content-Range with a total',
    answer(ask) {
      const { items, start, end, total, hasMore } = skipped(ask, 'offset')
      return {
        status: hasMore ? 206 : 200,
        headers: { 'content-range': `${start}-${end - 1}/${total}` },
        body: items,
      }
    },
  },
  {
    name: 'PostgREST: Content-Range without a total, with limit',
    lines: ['params: {limit: 10}'],
    answer(ask) {
      const { items, start, end, hasMore } = skipped(ask, 'offset')
      return {
        status: hasMore ? 206 : 200,
        headers: { 'content-range': `${start}-${end - 1}/*` },
        body: items,
      }
    },
  },
  {
    name: 'react-admin: Content-Range and a range',
    cannotBeFollowed: true,
    answer(ask) {
      const { items, end, total } = part(ask, 0)
      return { headers: { 'content-range': `posts 0-${end - 1}/${total}` }, body: items }
    },
  },
  {
    name: 'a status of 206 and nothing else',
    cannotBeFollowed: true,
    answer: ask => ({ status: part(ask, 0).hasMore ? 206 : 200, body: part(ask, 0).items }),
  },
]
