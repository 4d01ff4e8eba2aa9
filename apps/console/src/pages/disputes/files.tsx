import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Dispute, DisputeFile } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Viewer } from '../../parts/viewer/viewer.tsx'
import { type Evidence, UploadEvidence } from './upload.tsx'

const ENDED: readonly Dispute['status'][] = ['WITHDRAWN', 'EXPIRED']

/** The files of evidence, of which one is shown. */
export function DisputeFiles({ dispute: { id, outcome, status } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error, refetch } = useQuery({
    queryKey: ['disputes', id, 'files'],
    queryFn: () => answered(issuing.disputes.listFiles(id)),
  })
  const titleOf = ({ file_name, source }: DisputeFile) =>
    source === 'MERCHANT' ? t('disputes.of_shop', { name: file_name }) : file_name
  const files = data?.data.map((file) => ({
    ...{ ...file, name: file.file_name, title: titleOf(file) },
  }))
  const isOpen = outcome === undefined && !ENDED.includes(status)
  const mayUpload = isOpen && may('uploadDisputeFiles')
  if (!error && !mayUpload && (files ?? []).length === 0) return null
  return (
    <Panel title={t('disputes.files')} flush {...(mayUpload && { actions: <Upload id={id} /> })}>
      {error && <Failing error={error} retry={refetch} />}
      {files && files.length > 0 && (
        <Viewer
          key={files.map((file) => file.id).join()}
          files={files}
          read={(file_id) => readFile(id, file_id)}
        />
      )}
    </Panel>
  )
}

async function readFile(id: string, file_id: string): Promise<Blob> {
  const answer = await answered(issuing.disputes.browseFile(id, file_id))
  return answer.blob()
}

function Upload({ id }: { id: string }) {
  const { t } = useTranslation()
  const send = (key: string, body: Evidence) =>
    answered(issuing.disputes.uploadFiles(id, body, { idempotencyKey: key }))
  return <UploadEvidence text={t('disputes.upload_text')} send={send} />
}
