/* rooflog completion: scripts that complete commands, verbs and options from their rows, and
 * kernels, kinds, metrics and baselines by asking the program. */
#include "cli/command.h"

#include "cli/program/program.h"
#include "render/document/document.h"

struct completion_options {
	const char *shell;
};

static void add_words(const struct option *rows, struct strbuf *out)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		if (rows->kind == OPTION_ROWS)
			add_words(rows->rows, out);
		else if (rows->kind < OPTION_ROWS && rows->name)
			strbuf_addf(out, " --%s", rows->name);
	}
}

/* "\tgate) words='--against ...' ;;": what may follow the command. */
static void add_case(const struct command *command, struct strbuf *out)
{
	strbuf_addf(out, "\t%s) words='", command->name);
	for (size_t i = 0; command->verbs && command->verbs[i]; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", strrchr(command->verbs[i]->name, ' ') + 1);
	add_words(command->options, out);
	add_words(program_common_options, out);
	strbuf_addstr(out, " --help' ;;\n");
}

static void add_bash(struct strbuf *out)
{
	strbuf_addstr(
		out,
		"# A name comes from files of anyone: of those that a shell would expand, none "
		"is offered.\n"
		"_rooflog_names()\n{\n"
		"\trooflog \"$@\" 2>/dev/null |\n"
		"\t\tawk 'NR > 1 && $1 ~ /^[A-Za-z0-9_.:@%+,=\\/-]+$/ { print $1 }'\n"
		"}\n"
		"_rooflog()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tlocal command= verb= words= i IFS=$' \\t\\n'\n"
		"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		"\t\tcase ${COMP_WORDS[i]} in\n"
		"\t\t-*) ;;\n"
		"\t\t*) if [ -z \"$command\" ]; then command=${COMP_WORDS[i]}\n"
		"\t\t\telif [ -z \"$verb\" ]; then verb=${COMP_WORDS[i]}; fi ;;\n"
		"\t\tesac\n"
		"\tdone\n"
		"\tcase $command in analyze|stats|list|baseline) ;; *) verb= ;; esac\n"
		"\tcase \"$command${verb:+-$verb}\" in\n"
		"\t'') words='help version");
	for (size_t i = 0; cli_commands[i]; i++)
		strbuf_addf(out, " %s", cli_commands[i]->name);
	add_words(program_common_options, out);
	strbuf_addstr(out, " --help --version' ;;\n");
}

static void add_cases(struct arena *arena, struct strbuf *out)
{
	for (size_t i = 0; cli_commands[i]; i++) {
		add_case(cli_commands[i], out);
		for (size_t k = 0; cli_commands[i]->verbs && cli_commands[i]->verbs[k]; k++) {
			struct command verb = *cli_commands[i]->verbs[k];
			char *name = arena_strdup(arena, verb.name);
			*strchr(name, ' ') = '-';
			verb.name = name;
			add_case(&verb, out);
		}
	}
	strbuf_addstr(
		out,
		"\tesac\n"
		"\tcase $prev in\n"
		"\t-k|--kernel) words=$(_rooflog_names list kernels) ;;\n"
		"\t--as) words=$(_rooflog_names list kinds) ;;\n"
		"\t--metric) words=$(_rooflog_names list metrics) ;;\n"
		"\t--against|--good|--bad|--commit) words=\"HEAD $(_rooflog_names baseline)\" ;;\n"
		"\tchart) [[ $cur == -* ]] || words='roofline occupancy timeline trend "
		"distribution latency' ;;\n"
		"\t*) case $cur in -*) ;; *) case $command in\n"
		"\t\tshow|log|gate|accept|bisect) words+=\" $(_rooflog_names list kernels)\" ;;\n"
		"\t\tesac ;; esac ;;\n"
		"\tesac\n"
		"\tCOMPREPLY=()\n"
		"\tfor i in $words; do\n"
		"\t\tcase $i in \"$cur\"*) COMPREPLY+=(\"$i\") ;; esac\n"
		"\tdone\n"
		"}\n"
		"complete -o default -F _rooflog rooflog\n");
}

/* The rows of a table, for fish. */
static void add_fish_options(const char *command, const struct option *rows, struct strbuf *out)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		if (rows->kind == OPTION_ROWS)
			add_fish_options(command, rows->rows, out);
		else if (rows->kind < OPTION_ROWS && rows->name)
			strbuf_addf(out,
				    "complete -c rooflog -n '__fish_seen_subcommand_from %s' -l "
				    "%s%s\n",
				    command, rows->name, rows->kind == OPTION_FLAG ? "" : " -r");
	}
}

static void add_fish(struct strbuf *out)
{
	for (size_t i = 0; cli_commands[i]; i++) {
		const struct command *command = cli_commands[i];
		strbuf_addf(out, "complete -c rooflog -n '__fish_use_subcommand' -a %s -d \"%s\"\n",
			    command->name, command->summary);
		add_fish_options(command->name, command->options, out);
		for (size_t k = 0; command->verbs && command->verbs[k]; k++) {
			const char *verb = strrchr(command->verbs[k]->name, ' ') + 1;
			strbuf_addf(
				out,
				"complete -c rooflog -n '__fish_seen_subcommand_from %s' -a %s\n",
				command->name, verb);
			add_fish_options(verb, command->verbs[k]->options, out);
		}
	}
	strbuf_addstr(out, "complete -c rooflog -l kernel -s k -x -a '(rooflog list kernels "
			   "2>/dev/null | tail -n +2 | string split -f1 \" \")'\n");
}

static int print_script(struct cli *cli, void *options, struct error *err)
{
	const struct completion_options *o = options;
	struct strbuf out = {0};
	if (strcmp(o->shell, "fish") == 0) {
		add_fish(&out);
	} else if (strcmp(o->shell, "bash") == 0 || strcmp(o->shell, "zsh") == 0) {
		if (o->shell[0] == 'z')
			strbuf_addstr(&out, "#compdef rooflog\n"
					    "autoload -U +X bashcompinit && bashcompinit\n");
		add_bash(&out);
		add_cases(&cli->arena, &out);
	} else {
		return error_set(err, ERR_USAGE, "'%.40s': expected bash, zsh or fish", o->shell);
	}
	if (!cli->common.json)
		return cli_output(cli, NULL, &out, err);
	struct json *document = document_begin(&cli->arena, SCHEMA(completion));
	json_set_text(&cli->arena, document, KEY(shell), o->shell);
	json_set_text(&cli->arena, document, KEY(script), strbuf_text(&out));
	strbuf_free(&out);
	return cli_print_json(document, err);
}

const struct command command_completion = {
	.name = "completion",
	.group = GROUP_OTHER,
	.summary = "shell completion",
	.usage = "SHELL",
	.about = "Print the completion script for bash, zsh or fish. Packages install it already.",
	.examples = {"rooflog completion bash "
		     ">~/.local/share/bash-completion/completions/rooflog",
		     "rooflog completion zsh >~/.zfunc/_rooflog",
		     "rooflog completion fish >~/.config/fish/completions/rooflog.fish"},
	.arguments = {{"SHELL", ARGUMENT(struct completion_options, shell)}},
	.required = 1,
	.expected = "expected bash, zsh or fish",
	.options_size = sizeof(struct completion_options),
	.without_store = true,
	.without_config = true,
	.run = print_script,
	.documents = "completion",
};
