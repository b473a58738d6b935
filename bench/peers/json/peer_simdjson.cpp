// usage: peer_simdjson FILE: the answer, with simdjson's On-Demand front end over a mapped file.
// What is not wanted is skipped, not parsed; members are taken in the order in which they come.
#include <cstdio>
#include <fcntl.h>
#include <simdjson.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/peers/json/answer.h"

using namespace simdjson;
using namespace std::string_view_literals;

namespace
{

// The file and, behind it, the zeroes that simdjson wants to be able to read.
padded_string_view store_map_file(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file < 0 || fstat(file, &status) < 0)
		return {};
	auto length = static_cast<std::size_t>(status.st_size), room = length + SIMDJSON_PADDING;
	void *memory = mmap(nullptr, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || mmap(memory, length, PROT_READ,
					 MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, file, 0) != memory)
		return {};
	close(file);
	return padded_string_view(static_cast<const char *>(memory), length, room);
}

struct text text_of(ondemand::value value)
{
	std::string_view text = value.get_string();
	return {text.data(), text.size()};
}

void read_instruction(ondemand::object from)
{
	struct record record = {};
	for (auto field : from) {
		ondemand::raw_json_string key = field.key();
		if (key == "duration"sv)
			record.duration = field.value().get_uint64();
		else if (key == "opcode"sv)
			record.name = text_of(field.value());
		else if (key == "nki_source_location"sv)
			record.source = text_of(field.value());
	}
	add_record(SECTION_INSTRUCTION, &record);
}

void read_transfer(ondemand::object from)
{
	struct record record = {};
	for (auto field : from) {
		ondemand::raw_json_string key = field.key();
		if (key == "timestamp"sv)
			record.start = field.value().get_uint64();
		else if (key == "duration"sv)
			record.duration = field.value().get_uint64();
		else if (key == "transfer_size"sv)
			record.bytes = field.value().get_uint64();
		else if (key == "queue_type"sv)
			record.name = text_of(field.value());
	}
	add_record(SECTION_DMA, &record);
}

void read_active(ondemand::object from)
{
	struct record record = {};
	for (auto field : from) {
		ondemand::raw_json_string key = field.key();
		if (key == "start_ts"sv)
			record.start = field.value().get_uint64();
		else if (key == "end_ts"sv)
			record.end = field.value().get_uint64();
		else if (key == "engine"sv)
			record.name = text_of(field.value());
	}
	add_record(SECTION_ACTIVE, &record);
}

void read_summary(ondemand::object from)
{
	struct record record = {};
	record.total_time = from.find_field_unordered("total_time").get_double();
	add_record(SECTION_SUMMARY, &record);
}

void read_profile(ondemand::parser &parser, padded_string_view text)
{
	ondemand::document profile = parser.iterate(text);
	for (auto list : profile.get_object()) {
		ondemand::raw_json_string name = list.key();
		void (*read)(ondemand::object) = name == "instruction"sv   ? read_instruction
						 : name == "dma"sv         ? read_transfer
						 : name == "active_time"sv ? read_active
						 : name == "summary"sv     ? read_summary
									   : nullptr;
		if (!read)
			continue;
		for (auto one : list.value().get_array())
			read(one.get_object());
	}
}

} // namespace

int main(int argc, char **argv)
{
	padded_string_view text = argc == 2 ? store_map_file(argv[1]) : padded_string_view();
	if (text.size() == 0) {
		std::fputs("peer_simdjson: cannot map the file\n", stderr);
		return 1;
	}
	try {
		ondemand::parser parser;
		read_profile(parser, text);
		return print_answer();
	} catch (const simdjson_error &error) {
		std::fprintf(stderr, "peer_simdjson: %s\n", error.what());
		return 1;
	}
}
