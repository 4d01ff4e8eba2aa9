/** The files of a shop's evidence: added and removed until it answers, and looked at. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { ShopDispute } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Failing } from '../../parts/failing.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { Panel } from '../../parts/panel.tsx'
import parts from '../../parts/parts.module.css'
import { Viewer } from '../../parts/viewer/viewer.tsx'
import { type Evidence, UploadEvidence } from '../disputes/upload.tsx'

/** One key and call of both who read the files of a dispute. */
const filesOf = (id: string) => ({
  queryKey: ['shop_disputes', id, 'files'],
  queryFn: () => answered(merchant.disputes.listChargebackFiles(id)),
})

/** Whether there is a file that can be sent as evidence. */
export function useHasFiles(id: string): boolean {
  const { data } = useQuery(filesOf(id))
  return data?.data.some(({ scan_status }) => scan_status !== 'INFECTED') ?? false
}

type FilesProps = { dispute: ShopDispute }

export function ShopFiles({ dispute: { dispute_id: id, status } }: FilesProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error, refetch } = useQuery(filesOf(id))
  const files = (data?.data ?? []).map((file) => ({
    ...{ ...file, name: file.file_name, title: file.file_name },
  }))
  const isOpen = status === 'NEEDS_RESPONSE'
  const mayUpload = isOpen && may('uploadChargebackFiles')
  if (!error && !mayUpload && files.length === 0) return null
  return (
    <Panel
      title={t('disputes.files')}
      flush
      actions={
        <div className={parts['panelActions']}>
          {isOpen && files.length > 0 && <RemoveFile id={id} files={files} />}
          {mayUpload && <Upload id={id} />}
        </div>
      }
    >
      {error && <Failing error={error} retry={refetch} />}
      {files.length > 0 && (
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
  const answer = await answered(merchant.disputes.downloadChargebackFile(id, file_id))
  return answer.blob()
}

function Upload({ id }: { id: string }) {
  const { t } = useTranslation()
  const send = (key: string, body: Evidence) =>
    answered(merchant.disputes.uploadChargebackFiles(id, body, { idempotencyKey: key }))
  return <UploadEvidence text={t('disputes.shop.upload_text')} send={send} />
}

type RemoveProps = { id: string; files: readonly { id: string; name: string }[] }

function RemoveFile({ id, files }: RemoveProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [chosen, setChosen] = useState('')
  if (!may('deleteChargebackFile')) return null
  const file = files.find((one) => one.id === chosen) ?? files[0]
  // A second one is 404: it needs no key.
  const act = () => answered(merchant.disputes.deleteChargebackFile(id, file?.id ?? ''))
  return (
    <Act
      label={t('disputes.shop.remove_file')}
      text={t('disputes.shop.remove_file_text')}
      isDangerous
      act={act}
    >
      <NativeSelect
        path="file_id"
        label={t('reviews.file')}
        data={files.map((one) => ({ value: one.id, label: one.name }))}
        value={file?.id ?? ''}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
    </Act>
  )
}
