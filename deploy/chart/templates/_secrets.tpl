{{/* The Secret of a service, or of a shard of it; of its owner with owner: true. Takes root, service and shard. */}}
{{- define "vaultsvc.secretName" -}}
{{- $values := index (default .root.Values.services .shard) .service | default dict -}}
{{- $name := printf "%s-%s" (include "vaultsvc.fullname" .root) .service -}}
{{- with .shard -}}{{- $name = printf "%s-%d" $name (int64 .number) -}}{{- end -}}
{{- if .owner -}}
{{- default (printf "%s-owner" $name) $values.existingOwnerSecret -}}
{{- else -}}
{{- default $name $values.existingSecret -}}
{{- end -}}
{{- end -}}

{{/*
The Secrets of a service as JSON: name, and items, the settings in it. With provision the keys are in a Secret of their own.
Takes root, service and shard.
*/}}
{{- define "vaultsvc.secrets" -}}
{{- $facts := index (include "vaultsvc.facts" .root | fromJson) .service -}}
{{- $settings := include "vaultsvc.settings" . | fromJson -}}
{{- $keys := $facts.keys -}}
{{- if $settings.NATS_CREDENTIALS_FILE -}}{{- $keys = without $keys "NATS_NKEY_SEED" -}}{{- end -}}
{{- $given := concat $facts.secrets (default list (index .root.Values.services .service).secretSettings) -}}
{{- $secrets := list -}}
{{- if .root.Values.provision.enabled -}}
{{- $secrets = append $secrets (dict "name" (printf "%s-%s-keys" (include "vaultsvc.fullname" .root) .service) "items" $keys) -}}
{{- else -}}
{{- $given = concat $keys $given -}}
{{- end -}}
{{- if $given -}}
{{- $secrets = append $secrets (dict "name" (include "vaultsvc.secretName" .) "items" (sortAlpha $given)) -}}
{{- end -}}
{{- toJson $secrets -}}
{{- end -}}

{{/* Variables for Secrets. Takes root, secrets, prefix (of names) and folder (where they are mounted). */}}
{{- define "vaultsvc.secretEnv" -}}
{{- range $secret := .secrets }}
{{- range $name := $secret.items }}
{{- if eq $.root.Values.secrets.mountAs "files" }}
- name: {{ $.prefix }}{{ $name }}_FILE
  value: {{ $.folder }}/{{ $name }}
{{- else }}
- name: {{ $.prefix }}{{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.name }}
      key: {{ $name }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A volume with these Secrets in one folder. Takes name and secrets. */}}
{{- define "vaultsvc.secretVolume" -}}
- name: {{ .name }}
  projected:
    # Readable by fsGroup, which the user of the image belongs to.
    defaultMode: 0440
    sources:
    {{- range .secrets }}
      - secret:
          name: {{ .name }}
          items:
          {{- range .items }}
            - { key: {{ . }}, path: {{ . }} }
          {{- end }}
    {{- end }}
{{- end -}}

{{- define "vaultsvc.authorityVolume" -}}
{{- $authority := .Values.certificateAuthority -}}
{{- if $authority.configMap }}
- name: certificate-authority
  configMap:
    name: {{ $authority.configMap }}
    items:
      - { key: {{ $authority.key }}, path: ca.crt }
{{- else if $authority.secret }}
- name: certificate-authority
  secret:
    secretName: {{ $authority.secret }}
    items:
      - { key: {{ $authority.key }}, path: ca.crt }
{{- end }}
{{- end -}}

{{- define "vaultsvc.authorityMount" -}}
{{- if or .Values.certificateAuthority.configMap .Values.certificateAuthority.secret }}
- name: certificate-authority
  mountPath: /etc/vaultsvc/ca
  readOnly: true
{{- end }}
{{- end -}}

{{- define "vaultsvc.authorityEnv" -}}
{{- if or .Values.certificateAuthority.configMap .Values.certificateAuthority.secret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/vaultsvc/ca/ca.crt
{{- end }}
{{- end -}}
