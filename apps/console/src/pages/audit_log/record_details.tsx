import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Code, When } from '../../parts/values.tsx'
import styles from './audit_log.module.css'

/** Everything that the log has of one request. */
export function RecordDetails({ record }: { record: AuditRecord }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t('audit.open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('audit.record')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <RecordFacts record={record} />
      </Modal>
    </>
  )
}

function RecordFacts({ record }: { record: AuditRecord }) {
  const { t } = useTranslation()
  const { operation, actor, address, object_ids, members, status } = record
  const { request_id, digest, created, recorded, sequence, hash } = record
  const code = (text: string | undefined) =>
    text === undefined ? undefined : (
      <span className={styles['long']}>
        <Code>{text}</Code>
      </span>
    )
  return (
    <Facts
      rows={[
        [t('audit.operation'), code(operation)],
        [t('audit.actor'), t(`history.actors.${actor.kind}`)],
        [t('audit.filters.actor_id'), code(actor.id)],
        [t('audit.address'), code(address)],
        [
          t('audit.objects'),
          object_ids.length > 0 ? <Ids key="ids" ids={object_ids} /> : undefined,
        ],
        [t('audit.members'), members.length > 0 ? code(members.join(', ')) : undefined],
        [t('fields.status'), code(String(status))],
        [t('states.request_id'), code(request_id)],
        [t('fields.created'), <When key="created" at={created} />],
        [t('audit.recorded'), <When key="recorded" at={recorded} />],
        [t('audit.sequence'), sequence === undefined ? t('audit.unchained') : String(sequence)],
        [t('audit.digest'), code(digest)],
        [t('audit.hash'), code(hash)],
      ]}
    />
  )
}

function Ids({ ids }: { ids: readonly string[] }) {
  return (
    <ul className={styles['ids']}>
      {ids.map((id) => (
        <li key={id}>
          <Code>{id}</Code>
        </li>
      ))}
    </ul>
  )
}
