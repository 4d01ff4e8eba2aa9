import { Button, FileButton, NativeSelect } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { queries } from '../../api/session.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import { NotDone } from '../../parts/not_done.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useAction } from '../../parts/use_action.ts'
import styles from './clearings.module.css'

/** Without the key a form with the cookie is refused (D-1220). */
function importOf(key: string, file: File, tenant_id: string) {
  const body = { ...(tenant_id !== '' && { tenant_id }), file }
  return answered(issuing.operator.importClearing(body, { idempotencyKey: key }))
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

/** A place to drop a file at, with a button for those who do not drag. */
export function ImportFile() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: tenants } = useQuery(allTenants)
  const [home, setHome] = useState('')
  const [isOver, setOver] = useState(false)
  const sending = useAction({
    act: (key, file: File) => importOf(key, file, home),
    said: ({ known, state }, { name }) => {
      const what = state === 'REJECTED' ? 'rejected' : 'imported'
      return t(`operator.clearings.${known ? 'known' : what}`, { name })
    },
    onDone: ({ id }) => {
      void queries.invalidateQueries()
      return navigate({ to: `/clearings/${id}` })
    },
  })
  const take = (file: File | null | undefined) => file && sending.press(file)
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <Panel title={t('operator.clearings.import')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard. */}
      <div
        className={styles['drop']}
        data-over={isOver}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <div className={styles['words']}>
          <strong>{t('operator.clearings.drop')}</strong>
          <span>{t('operator.clearings.drop_text')}</span>
        </div>
        <NativeSelect
          label={t('operator.clearings.home')}
          data={[{ value: '', label: t('operator.clearings.home_any') }, ...tenantChoices(tenants)]}
          value={home}
          onChange={({ currentTarget }) => setHome(currentTarget.value)}
        />
        <FileButton onChange={take}>
          {(props) => (
            <Button
              {...props}
              leftSection={<IconFileImport size={16} aria-hidden />}
              loading={sending.isPending}
            >
              {t('operator.clearings.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {sending.error !== null && (
        <div className={styles['after']}>
          <NotDone of={sending} />
        </div>
      )}
    </Panel>
  )
}
