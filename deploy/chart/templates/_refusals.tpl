{{/*
All that is wrong with the values and that a schema cannot say, in one message, as the services report their settings.
*/}}
{{- define "vaultsvc.refuse" -}}
{{- $problems := list -}}
{{- range $part := list "secrets" "missing" "origins" "stores" "routes" "others" -}}
{{- $problems = concat $problems (include (printf "vaultsvc.problems.%s" $part) $ | fromJsonArray) -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "the values cannot be used:\n  - %s" (join "\n  - " (uniq $problems))) -}}
{{- end -}}
{{- end -}}

{{/* Secrets among the settings. */}}
{{- define "vaultsvc.problems.secrets" -}}
{{- $problems := list -}}
{{- range $service, $facts := include "vaultsvc.facts" . | fromJson -}}
{{- $secrets := concat $facts.keys $facts.secrets $facts.optionalSecrets -}}
{{- $own := default dict (index $.Values.services $service).settings -}}
{{- range $name := $secrets -}}
{{- $where := printf "it belongs in the Secret %s" (include "vaultsvc.secretName" (dict "root" $ "service" $service)) -}}
{{- if has $name $facts.optionalSecrets -}}
{{- $where = printf "%s and its name in services.%s.secretSettings" $where $service -}}
{{- end -}}
{{- if hasKey $.Values.settings $name -}}
{{- $problems = append $problems (printf "settings.%s is a secret: %s" $name $where) -}}
{{- else if hasKey $own $name -}}
{{- $problems = append $problems (printf "services.%s.settings.%s is a secret: %s" $service $name $where) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* Settings without which a service does not start, each with the services that read it. */}}
{{- define "vaultsvc.problems.missing" -}}
{{- $missing := dict -}}
{{- range $service, $facts := include "vaultsvc.facts" . | fromJson -}}
{{- $settings := include "vaultsvc.settings" (dict "root" $ "service" $service) | fromJson -}}
{{- $required := $facts.required -}}
{{- if and (has "kms" $facts.uses) (eq (toString (default "aws" $settings.KMS_PROVIDER)) "aws") -}}
{{- $required = append $required "KMS_REGION" | uniq -}}
{{- end -}}
{{- if has "FORGE_ORIGIN" $facts.settings -}}{{- $required = append $required "FORGE_ORIGIN" | uniq -}}{{- end -}}
{{- range $name := $required -}}
{{- if empty (index $settings $name) -}}
{{- $_ := set $missing $name (append (default list (index $missing $name)) $service) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problems := list -}}
{{- range $name, $services := $missing -}}
{{- $problems = append $problems (printf "settings.%s is missing (read by %s; docs/settings.md)" $name (join ", " $services)) -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "vaultsvc.problems.origins" -}}
{{- $settings := include "vaultsvc.settings" (dict "root" . "service" "gateway") | fromJson -}}
{{- $origins := list -}}
{{- range $name := list "API_ORIGIN" "LINK_ORIGIN" "FILES_ORIGIN" "FORGE_ORIGIN" -}}
{{- with index $settings $name -}}{{- $origins = append $origins . -}}{{- end -}}
{{- end -}}
{{- if ne (len $origins) (len (uniq $origins)) -}}
{{- toJson (list "API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN and FORGE_ORIGIN must be four different origins") -}}
{{- else -}}[]{{- end -}}
{{- end -}}

{{/* Forge and reporting each have a bucket or a folder, and not the same one. */}}
{{- define "vaultsvc.problems.stores" -}}
{{- $problems := list -}}
{{- $buckets := list -}}
{{- range $service := list "forge" "reporting" -}}
{{- $settings := include "vaultsvc.settings" (dict "root" $ "service" $service) | fromJson -}}
{{- $bucket := toString (default "" $settings.S3_BUCKET) -}}
{{- if eq (empty $bucket) (empty $settings.OBJECTS_DIR) -}}
{{- $problems = append $problems (printf "services.%s.settings needs S3_BUCKET or OBJECTS_DIR, and not both" $service) -}}
{{- else if $bucket -}}
{{- $buckets = append $buckets $bucket -}}
{{- if empty $settings.S3_REGION -}}
{{- $problems = append $problems (printf "settings.S3_REGION is missing: services.%s.settings has S3_BUCKET" $service) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if ne (len $buckets) (len (uniq $buckets)) -}}
{{- $problems = append $problems "forge and reporting have the same S3_BUCKET: the transparency log needs one of its own" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "vaultsvc.problems.routes" -}}
{{- $problems := list -}}
{{- if or .Values.ingress.enabled .Values.gatewayApi.enabled -}}
{{- range $service := list "gateway" "forge" -}}
{{- $settings := include "vaultsvc.settings" (dict "root" $ "service" $service) | fromJson -}}
{{- if empty $settings.TRUSTED_PROXIES -}}
{{- $problems = append $problems "settings.TRUSTED_PROXIES is missing: without the addresses of the proxy every request is refused as plain HTTP" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (empty .Values.gatewayApi.parentRefs) -}}
{{- $problems = append $problems "gatewayApi.parentRefs must name a Gateway" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "vaultsvc.problems.others" -}}
{{- $problems := list -}}
{{- range $name := (.Files.Get "files/services.json" | fromJson).settingsOfOneService -}}
{{- if hasKey $.Values.settings $name -}}
{{- $problems = append $problems (printf "settings.%s would be the same for all services: set services.<name>.settings.%s" $name $name) -}}
{{- end -}}
{{- end -}}
{{- $numbers := list -}}
{{- range .Values.shards -}}{{- $numbers = append $numbers (int64 .number) -}}{{- end -}}
{{- if ne (len $numbers) (len (uniq $numbers)) -}}
{{- $problems = append $problems "shards names a number twice" -}}
{{- end -}}
{{- if and $numbers (ne (toString .Values.settings.OLDEST_RELEASE) "0.2") -}}
{{- $problems = append $problems "shards need settings.OLDEST_RELEASE: '0.2': earlier releases do not know the ids of their accounts" -}}
{{- end -}}
{{- if and $numbers (eq .Values.mode "one") -}}
{{- $problems = append $problems "shards need mode: services: one process has one database of each service" -}}
{{- end -}}
{{- if and .Values.secrets.external.enabled (empty .Values.secrets.external.secretStoreRef.name) -}}
{{- $problems = append $problems "secrets.external.secretStoreRef.name must name a store" -}}
{{- end -}}
{{- if and .Values.bootstrap.enabled (or (empty .Values.bootstrap.email) (empty .Values.bootstrap.organization)) -}}
{{- $problems = append $problems "bootstrap needs email and organization" -}}
{{- end -}}
{{- if and .Values.certificateAuthority.configMap .Values.certificateAuthority.secret -}}
{{- $problems = append $problems "certificateAuthority is a configMap or a secret, not both" -}}
{{- end -}}
{{- range $workload := include "vaultsvc.workloads" . | fromJsonArray -}}
{{- $scaling := $workload.pods.autoscaling -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- $problems = append $problems (printf "autoscaling of %s: minReplicas is above maxReplicas" $workload.name) -}}
{{- end -}}
{{- $budget := $workload.pods.podDisruptionBudget -}}
{{- if and $budget.enabled (not (kindIs "invalid" $budget.minAvailable)) (not (kindIs "invalid" $budget.maxUnavailable)) -}}
{{- $problems = append $problems (printf "podDisruptionBudget of %s: minAvailable needs maxUnavailable: null" $workload.name) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
