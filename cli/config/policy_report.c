/* The [report] section: the project name and the URL in reports that are read elsewhere, e.g. as a
 * comment on a pull request. */

#include "cli/config/policy.h"

/* Characters. They bound the marker and the links of a comment, whose size is limited. */
enum { PROJECT_MOST = 64, URL_MOST = 1000 };

static bool is_alphanumeric(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* The name appears inside an HTML comment, where "--" would end the comment. */
const char *settings_project_fault(const char *project)
{
	static const char *const expected =
		"expected a name of at most 64 letters, digits, . _ / and single -";
	size_t len = strlen(project);
	if (!len || len > PROJECT_MOST || strstr(project, "--") || project[len - 1] == '-')
		return expected;
	for (const char *c = project; *c; c++)
		if (!is_alphanumeric(*c) && !strchr("._/-", *c))
			return expected;
	return NULL;
}

/* The URL appears in an HTML attribute and in Markdown links, where quotes and blanks would end
 * it. */
const char *settings_url_fault(const char *url)
{
	static const char *const expected =
		"expected a URL such as https://example.org/charts, without quotes and blanks";
	if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
		return expected;
	for (const char *c = url; *c; c++)
		if (!is_alphanumeric(*c) && !strchr("-._~:/?@!$&()*+,;=%", *c))
			return expected;
	return strlen(url) > URL_MOST ? expected : NULL;
}

int settings_report_of(const struct config *config, struct report_place *place, struct error *err)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		const char *fault = "unknown key; there are project and url";
		if (strcmp(entry->section, "report") != 0)
			continue;
		if (strcmp(entry->key, "project") == 0) {
			place->project = entry->value;
			fault = settings_project_fault(entry->value);
		} else if (strcmp(entry->key, "url") == 0) {
			place->url = entry->value;
			fault = settings_url_fault(entry->value);
		}
		if (fault)
			return settings_policy_bad(err, config, entry, fault);
	}
	return 0;
}
