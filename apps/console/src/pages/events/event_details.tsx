import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Event } from '../../api/types.ts'
import { Block } from '../../parts/block.tsx'

/** The event as webhooks receive it. */
export function EventDetails({ event }: { event: Event }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={open}
        aria-label={`${t('events.open')}: ${event.event} ${event.id}`}
      >
        {t('events.open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={event.event}
        size="lg"
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Block label={t('events.body')} text={JSON.stringify(event, null, 2)} />
      </Modal>
    </>
  )
}
