{{/*
The environment of a workload. In one process the settings of one service carry its name as a prefix: SPARKS_DATABASE_URL.
Takes root and workload.
*/}}
{{- define "vaultsvc.environment" -}}
{{- $root := .root -}}
{{- $facts := include "vaultsvc.facts" $root | fromJson -}}
{{- $isOne := eq .workload.name "all" }}
- { name: HTTP_HOST, value: {{ $root.Values.bindAddress | quote }} }
- { name: PRIVATE_HOST, value: {{ $root.Values.bindAddress | quote }} }
{{- if $isOne }}
{{- range $name, $value := $root.Values.settings }}
- name: {{ $name }}
  value: {{ include "vaultsvc.settingText" $value | quote }}
{{- end }}
{{- end }}
{{- range $service := .workload.services }}
{{- $of := dict "root" $root "service" $service "shard" $.workload.shard }}
{{- $prefix := ternary (printf "%s_" (upper $service)) "" $isOne }}
{{- if (index $facts $service).connections }}
- name: {{ $prefix }}DATABASE_SCHEMA
  value: {{ $service }}
{{- end }}
{{- if $root.Values.shards }}
- name: SHARDS
  value: {{ include "vaultsvc.shardNumbers" $root | quote }}
{{- if (index $facts $service).isSharded }}
- name: SHARD
  value: {{ int64 (default dict $.workload.shard).number | quote }}
{{- end }}
{{- end }}
{{- $own := default dict (index $root.Values.services $service).settings }}
{{- range $name, $value := (ternary $own (include "vaultsvc.settings" $of | fromJson) $isOne) }}
- name: {{ $prefix }}{{ $name }}
  value: {{ include "vaultsvc.settingText" $value | quote }}
{{- end }}
{{- include "vaultsvc.secretEnv" (dict "root" $root "prefix" $prefix "folder" (include "vaultsvc.secretFolder" $of) "secrets" (include "vaultsvc.secrets" $of | fromJsonArray)) }}
{{- end }}
{{- include "vaultsvc.authorityEnv" $root }}
{{- with .workload.pods.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Where the Secrets of a service are mounted. Takes root and service. */}}
{{- define "vaultsvc.secretFolder" -}}
/etc/vaultsvc/secrets/{{ .service }}
{{- end -}}

{{- define "vaultsvc.volumes" -}}
{{- $root := .root -}}
{{- if eq $root.Values.secrets.mountAs "files" }}
{{- range $service := .workload.services }}
{{ include "vaultsvc.secretVolume" (dict "name" (printf "secrets-%s" $service) "secrets" (include "vaultsvc.secrets" (dict "root" $root "service" $service "shard" $.workload.shard) | fromJsonArray)) }}
{{- end }}
{{- end }}
{{- include "vaultsvc.authorityVolume" $root }}
{{- with .workload.pods.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "vaultsvc.mounts" -}}
{{- $root := .root -}}
{{- if eq $root.Values.secrets.mountAs "files" }}
{{- range $service := .workload.services }}
- name: secrets-{{ $service }}
  mountPath: {{ include "vaultsvc.secretFolder" (dict "root" $root "service" $service) }}
  readOnly: true
{{- end }}
{{- end }}
{{- include "vaultsvc.authorityMount" $root }}
{{- with .workload.pods.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}
