{{/* What templates know of the services (files/services.json). */}}
{{- define "vaultsvc.facts" -}}
{{- (.Files.Get "files/services.json" | fromJson).services | toJson -}}
{{- end -}}

{{/*
The workloads as JSON: name, program, services (the names of those in its process), pods (its values), and of a further shard
its values as shard. With mode: one a single one.
*/}}
{{- define "vaultsvc.workloads" -}}
{{- $facts := include "vaultsvc.facts" . | fromJson -}}
{{- $workloads := list -}}
{{- if eq .Values.mode "one" -}}
{{- $pods := mergeOverwrite (deepCopy .Values.defaults) (deepCopy .Values.one) -}}
{{- $workloads = append $workloads (dict "name" "all" "program" "all" "services" (keys $facts | sortAlpha) "pods" $pods) -}}
{{- else -}}
{{- range $name := keys $facts | sortAlpha -}}
{{- $pods := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy (index $.Values.services $name)) -}}
{{- $workloads = append $workloads (dict "name" $name "program" $name "services" (list $name) "pods" $pods) -}}
{{- end -}}
{{- range $shard := .Values.shards -}}
{{- range $service, $_ := $facts -}}
{{- if (index $facts $service).isSharded -}}
{{- $pods := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy (index $.Values.services $service)) -}}
{{- $name := printf "%s-%d" $service (int64 $shard.number) -}}
{{- $workloads = append $workloads (dict "name" $name "program" $service "services" (list $service) "pods" $pods "shard" $shard) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $workloads -}}
{{- end -}}

{{/* The name of the workload in which a service runs. Takes root and service. */}}
{{- define "vaultsvc.workloadOf" -}}
{{- ternary "all" .service (eq .root.Values.mode "one") -}}
{{- end -}}

{{/*
The settings of a service as JSON, with the values of the operator: those of all services that it reads, and its own. Takes
root and service.
*/}}
{{- define "vaultsvc.settings" -}}
{{- $facts := index (include "vaultsvc.facts" .root | fromJson) .service -}}
{{- $settings := dict -}}
{{- range $name, $value := .root.Values.settings -}}
{{- if has $name $facts.settings -}}{{- $_ := set $settings $name $value -}}{{- end -}}
{{- end -}}
{{- $own := default dict (index .root.Values.services .service).settings -}}
{{- toJson (mergeOverwrite $settings (deepCopy $own)) -}}
{{- end -}}

{{/* A value as it stands in the environment: lists with commas, large integers in digits. */}}
{{- define "vaultsvc.settingText" -}}
{{- if kindIs "slice" . -}}{{- join "," . -}}
{{- else if kindIs "float64" . -}}{{- int64 . -}}
{{- else -}}{{- . -}}
{{- end -}}
{{- end -}}

{{/* Seconds that a pod may take to end: the delay, the drain and a margin. Takes root and services. */}}
{{- define "vaultsvc.graceSeconds" -}}
{{- $facts := include "vaultsvc.facts" .root | fromJson -}}
{{- $longest := 0 -}}
{{- range $service := .services -}}
{{- $settings := include "vaultsvc.settings" (dict "root" $.root "service" $service) | fromJson -}}
{{- $times := (index $facts $service).shutdownMs -}}
{{- $delay := ternary $settings.SHUTDOWN_DELAY_MS $times.delay (hasKey $settings "SHUTDOWN_DELAY_MS") -}}
{{- $grace := ternary $settings.SHUTDOWN_GRACE_MS $times.grace (hasKey $settings "SHUTDOWN_GRACE_MS") -}}
{{- $longest = max $longest (add 10 (ceil (divf (addf $delay $grace) 1000))) -}}
{{- end -}}
{{- $longest -}}
{{- end -}}

{{/*
The databases as JSON: service, of a further shard its values as shard, and entry, by which jobs and stores call it.
*/}}
{{- define "vaultsvc.databases" -}}
{{- $databases := list -}}
{{- range $service, $facts := include "vaultsvc.facts" . | fromJson -}}
{{- if $facts.connections -}}
{{- $databases = append $databases (dict "service" $service "entry" $service) -}}
{{- end -}}
{{- end -}}
{{- range $shard := .Values.shards -}}
{{- range $service, $facts := include "vaultsvc.facts" $ | fromJson -}}
{{- if $facts.isSharded -}}
{{- $entry := printf "%s-%d" $service (int64 $shard.number) -}}
{{- $databases = append $databases (dict "service" $service "entry" $entry "shard" $shard) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $databases -}}
{{- end -}}

{{/* The numbers of all shards, with commas. */}}
{{- define "vaultsvc.shardNumbers" -}}
{{- $numbers := list "0" -}}
{{- range .Values.shards -}}{{- $numbers = append $numbers (int64 .number | toString) -}}{{- end -}}
{{- join "," $numbers -}}
{{- end -}}
