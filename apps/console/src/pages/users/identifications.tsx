import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Identification, IdentificationFile, User } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { Documents } from '../../parts/person/documents.tsx'
import { filesOf } from '../../parts/person/person.ts'
import { FILES_MAX, TYPES } from './documents.ts'
import { Upload } from './upload.tsx'

/** The identifications of a user; a user that is terminated cannot change. */
export function Identifications({ user }: { user: User }) {
  const may = useMay()
  const isOpen = user.status !== 'TERMINATED'
  return (
    <Documents
      person={{ user }}
      actions={may('createIdentification') && isOpen && <AddIdentification user={user} />}
      of={(identification) => isOpen && <FileActions user={user} identification={identification} />}
    />
  )
}

function AddIdentification({ user: { id } }: { user: User }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { type: 'NATIONAL_ID', number: '', issuance_date: '', expiration_date: '' },
  })
  const act = (key: string) => {
    const { type, ...texts } = form.values
    const sent = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    const body = { type: TYPES.find((one) => one === type) ?? 'ADDITIONAL', ...sent }
    return answered(issuing.identifications.create(id, body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('reviews.add_document')}
      text={t('reviews.add_document_text')}
      act={act}
      onDone={form.reset}
    >
      <NativeSelect label={t('fields.type')} data={TYPES} {...form.getInputProps('type')} />
      <TextInput label={t('reviews.number')} dir="ltr" {...form.getInputProps('number')} />
      <TextInput type="date" label={t('reviews.issued')} {...form.getInputProps('issuance_date')} />
      <TextInput
        type="date"
        label={t('reviews.expires')}
        {...form.getInputProps('expiration_date')}
      />
    </Act>
  )
}

export type OfDocument = { user: User; identification: Identification }

function FileActions({ user, identification }: OfDocument) {
  const may = useMay()
  const { data = [] } = useQuery(filesOf({ user }, identification))
  return (
    <>
      {may('uploadIdentificationFiles') && data.length < FILES_MAX && (
        <Upload user={user} identification={identification} />
      )}
      {may('deleteIdentificationFile') && data.length > 0 && (
        <Delete user={user} identification={identification} files={data} />
      )}
    </>
  )
}

type DeleteProps = OfDocument & { files: readonly IdentificationFile[] }

function Delete({ user, identification, files }: DeleteProps) {
  const { t } = useTranslation()
  const [chosen, choose] = useState('')
  const file_id = files.find(({ id }) => id === chosen)?.id ?? files[0]?.id ?? ''
  const act = () =>
    answered(issuing.identifications.deleteFile(user.id, identification.id, file_id))
  return (
    <Act
      isDangerous
      label={t('reviews.delete_file')}
      text={t('reviews.delete_file_text')}
      act={act}
    >
      <NativeSelect
        path="file_id"
        label={t('reviews.file')}
        data={files.map(({ id, file_name }) => ({ value: id, label: file_name }))}
        value={file_id}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </Act>
  )
}
