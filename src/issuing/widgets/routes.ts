import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { NewWidgetToken, WidgetToken } from './schema.ts'
import { createWidgetToken } from './widgets.ts'

/** `publicUrl` returns an address without a slash at its end; called for each use. */
export const widgetRoutes = (publicUrl: () => string): readonly Route[] => [
  route({
    id: 'createWidgetToken',
    tag: 'Cards',
    description:
      'Creates a single-use token for one card and one widget, and the address of the page to ' +
      'frame. The token expires after five minutes. Only a page of the given `origin` may frame ' +
      'the widget. The card must not be TERMINATED. SET_PIN fails with `pin_by_block_only` where ' +
      'the security module takes PIN blocks alone. A key needs the permission `cards:widget`.',
    method: 'POST',
    path: '/cards/{id}:widgettoken',
    permission: 'cards:widget',
    summary: 'Create a widget token',
    params: IdPath,
    body: NewWidgetToken,
    answer: WidgetToken,
    answersSecret: true,
    errors: ['not_found', 'card_terminated', 'pin_by_block_only'],
    run: async (ctx, { params, body }) => {
      const { token, expires } = await createWidgetToken(ctx, params.id, body)
      return { token, url: `${publicUrl()}/widgets/frame?token=${token}`, expires }
    },
  }),
]
