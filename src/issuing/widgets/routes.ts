import { type Route, route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { NewWidgetToken, WidgetToken } from './schema.ts'
import { createWidgetToken } from './widgets.ts'

/** `publicUrl` without a slash at its end; asked when it is needed. */
export const widgetRoutes = (publicUrl: () => string): readonly Route[] => [
  route({
    id: 'postCardsIdWidgettoken',
    tag: 'Cards',
    description: '',
    method: 'POST',
    path: '/cards/{id}:widgettoken',
    permission: 'write',
    summary: 'Make a single-use token of a widget, with the address of its page',
    params: IdPath,
    body: NewWidgetToken,
    answer: WidgetToken,
    answersSecret: true,
    errors: ['not_found', 'card_terminated'],
    run: async (ctx, { params, body }) => {
      const { token, expires } = await createWidgetToken(ctx, params.id, body)
      return { token, url: `${publicUrl()}/widgets/frame?token=${token}`, expires }
    },
  }),
]
