// usage: peer_rapidjson FILE: the answer, with RapidJSON's SAX reader over a stream with a small
// buffer.
#ifdef __SSE4_2__
#define RAPIDJSON_SSE42
#endif
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <rapidjson/error/en.h>
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

#include "bench/peers/json/answer.h"

namespace
{

constexpr std::size_t buffer_size = 256 * 1024, text_limit = 512;

class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler>
{
      public:
	bool Uint(unsigned value)
	{
		return Uint64(value);
	}

	bool Uint64(std::uint64_t value)
	{
		if (depth != 3)
			return true;
		switch (wanted) {
		case MEMBER_START:
			kept.start = value;
			break;
		case MEMBER_END:
			kept.end = value;
			break;
		case MEMBER_DURATION:
			kept.duration = value;
			break;
		case MEMBER_BYTES:
			kept.bytes = value;
			break;
		case MEMBER_TOTAL:
			kept.total_time = static_cast<double>(value);
			break;
		default:
			break;
		}
		return true;
	}

	bool Double(double value)
	{
		if (depth == 3 && wanted == MEMBER_TOTAL)
			kept.total_time = value;
		return true;
	}

	bool String(const char *text, rapidjson::SizeType length, bool)
	{
		if (depth == 3 && wanted == MEMBER_NAME)
			kept.name = keep(name, text, length);
		else if (depth == 3 && wanted == MEMBER_SOURCE)
			kept.source = keep(source, text, length);
		return true;
	}

	bool Key(const char *text, rapidjson::SizeType length, bool)
	{
		if (depth == 1)
			current = section_of(text, length);
		else if (depth == 3)
			wanted = member_of(current, text, length);
		return true;
	}

	bool StartObject()
	{
		return start();
	}
	bool StartArray()
	{
		return start();
	}
	bool EndObject(rapidjson::SizeType)
	{
		return end();
	}
	bool EndArray(rapidjson::SizeType)
	{
		return end();
	}

      private:
	bool start()
	{
		if (++depth == 3)
			kept = record();
		return true;
	}

	bool end()
	{
		if (depth-- == 3)
			add_record(current, &kept);
		return true;
	}

	static struct text keep(char *to, const char *text, std::size_t length)
	{
		if (length > text_limit)
			std::abort();
		std::memcpy(to, text, length);
		return {to, length};
	}

	int depth = 0; // 1 in the profile, 2 in a section, 3 in a record
	enum section current = SECTION_NONE;
	enum member wanted = MEMBER_NONE;
	struct record kept = {};
	char name[text_limit], source[text_limit];
};

} // namespace

int main(int argc, char **argv)
{
	static char buffer[buffer_size];
	std::FILE *file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
	if (!file) {
		std::fputs("peer_rapidjson: cannot open the file\n", stderr);
		return 1;
	}
	std::setvbuf(file, nullptr, _IONBF, 0);
	rapidjson::FileReadStream stream(file, buffer, sizeof buffer);
	rapidjson::Reader reader;
	Handler handler;
	rapidjson::ParseResult result = reader.Parse(stream, handler);
	if (!result) {
		std::fprintf(stderr, "peer_rapidjson: %s\n",
			     rapidjson::GetParseError_En(result.Code()));
		return 1;
	}
	std::fclose(file);
	return print_answer();
}
