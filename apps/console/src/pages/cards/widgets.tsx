import { Button, Modal, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { queries, useMay, useSession } from '../../api/session.ts'
import type { Card, Widget } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useAction } from '../../parts/use_action.ts'
import styles from './cards.module.css'

/** Widgets that are of use for a card in this state. */
function widgetsOf({ status }: Card, isOwner: boolean): Widget[] {
  const details: Widget[] = isOwner ? ['CARD_DETAILS'] : []
  if (status === 'INACTIVE') return ['ACTIVATE', ...details]
  return status === 'ACTIVE' ? [...details, 'SET_PIN'] : details
}

/** Number, CVV2 and PIN: between a frame and the platform only, never in the console (D-40). */
export function Widgets({ card }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: session } = useSession()
  const [opened, setOpened] = useState<Widget>()
  // No other role is given card data (D-578).
  const widgets = widgetsOf(card, session?.role === 'owner')
  if (!may('createWidgetToken') || card.status === 'TERMINATED' || widgets.length === 0) return null
  return (
    <Panel title={t('cards.secrets')}>
      <div className={styles['stack']}>
        <p className={styles['hint']}>{t('cards.secrets_text')}</p>
        <div className={styles['buttons']}>
          {widgets.map((widget) => (
            <WidgetButton key={widget} {...{ card, widget, opened, setOpened }} />
          ))}
        </div>
      </div>
    </Panel>
  )
}

type WidgetButtonProps = {
  card: Card
  widget: Widget
  opened: Widget | undefined
  setOpened: (widget: Widget | undefined) => void
}

function WidgetButton({ card: { id }, widget, opened, setOpened }: WidgetButtonProps) {
  const { t, i18n } = useTranslation()
  const token = useAction({
    act: (key) => {
      const body = { widget, origin: location.origin }
      return answered(issuing.cards.createWidgetToken(id, body, { idempotencyKey: key }))
    },
  })
  const open = () => {
    token.reset()
    token.press()
    setOpened(widget)
  }
  const close = () => {
    setOpened(undefined)
    // The widget may have activated the card.
    void queries.invalidateQueries()
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {t(`cards.widgets.${widget}`)}
      </Button>
      <Modal
        opened={opened === widget}
        onClose={close}
        title={t(`cards.widgets.${widget}`)}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {token.error !== null && <Failing error={token.error} retry={token.press} />}
        {token.isPending && (
          <Skeleton height={320} role="status" aria-label={t('states.loading')} />
        )}
        {token.data && (
          <iframe
            title={t(`cards.widgets.${widget}`)}
            src={frameOf(token.data.url, i18n.language)}
            className={styles['frame']}
          />
        )}
      </Modal>
    </>
  )
}

/** The page is this server's own, at the address by which the console was opened. */
function frameOf(url: string, language: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}&lang=${language}`
}
