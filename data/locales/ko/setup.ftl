# 운영자가 봇을 설정하는 화면의 글입니다. 인수는 없고, BOT과 CHANNELS는 이름으로 바뀝니다.

setup-theme = 어둡게 또는 밝게
setup-leave = 로그아웃
setup-to-page = 채팅 화면으로
setup-lost = 봇이 응답하지 않습니다. 실행 중인지 확인하고 다시 시도하세요.
setup-closed = 로그인하지 않았습니다
setup-closed-hint = 봇이 실행 중인 컴퓨터에서 `chatbot desk`를 실행하고, 나오는 주소를 여세요. 그 컴퓨터에서만 열립니다.
setup-done = 연결됨
setup-open = 연결 안 됨
setup-check = 확인하고 연결
setup-change = 바꾸기
setup-cancel = 취소
setup-copy = 복사
setup-copied = 복사했습니다

setup-twitch = Twitch
setup-twitch-hint = Twitch에서는 봇마다 애플리케이션이 하나 필요합니다. 무료이고 한 번만 만들면 됩니다.
setup-twitch-step-1 = 애플리케이션 페이지를 열고 Register Your Application을 고르세요.
setup-twitch-step-2 = 이름은 무엇이든 됩니다. OAuth Redirect URL: http://localhost, Category: Chat Bot, Client Type: Public.
setup-twitch-step-3 = Manage를 고르고 Client ID를 복사해 여기에 붙여 넣으세요.
setup-twitch-open = Twitch에서 내 애플리케이션 열기
setup-twitch-id = Client ID
setup-twitch-with-secret = 내 애플리케이션에는 비밀 키가 있어요
setup-twitch-secret-hint = 비밀 키가 있으면(Client Type: Confidential) 봇 배지가 붙습니다. 그 밖에는 필요 없습니다.
setup-twitch-secret = Client Secret
setup-twitch-press = 첫 번째 버튼을 누르고 스트리머 계정으로 코드를 확인하세요. 봇이 그 이름으로 채널에서 말합니다. 봇 전용 계정을 쓰려면 두 번째 버튼을 누르고 그 계정으로 확인하세요.
setup-twitch-both = 내 채널 연결
setup-twitch-bot = 봇 전용 계정 쓰기
setup-twitch-points = 채널 포인트 허용
setup-twitch-predictions = 승부 예측 허용
setup-twitch-announcements = 공지 허용
setup-twitch-confirm = 연결할 계정으로 로그인한 채 Twitch 페이지를 열고 그곳에서 확인하세요.
setup-twitch-code = 다른 기기에서 입력할 코드 보기
setup-twitch-code-hint = Twitch 페이지에 입력하세요. 이 코드를 읽은 사람은 누구나 자기 계정으로 확인할 수 있으니 방송에 보여 주지 마세요.
setup-twitch-activate = Twitch 페이지 열기
setup-twitch-connected = BOT 계정이 CHANNELS 채팅에서 말합니다. 그곳에서 !heist를 입력해 보세요.

setup-discord = Discord
setup-discord-hint = Discord에서는 봇마다 애플리케이션이 하나 필요합니다. 무료이고 한 번만 만들면 됩니다.
setup-discord-step-1 = 애플리케이션 페이지를 열고 New Application을 고르세요. 그 이름이 봇의 이름입니다.
setup-discord-step-2 = 왼쪽에서 Bot을 고르고, !heist를 알아듣도록 Message Content Intent를 켜세요.
setup-discord-step-3 = Reset Token을 고르고 나온 것을 복사해 여기에 붙여 넣으세요. 다른 사람에게 보여 주지 마세요.
setup-discord-open = Discord에서 내 애플리케이션 열기
setup-discord-token = 토큰
setup-discord-known = 토큰이 맞습니다. 봇 이름은 BOT입니다.
setup-discord-reads = 메시지를 읽을 수 있어 /heist와 !heist를 모두 쓸 수 있습니다.
setup-discord-deaf = 메시지를 읽을 수 없어 /heist와 버튼으로 플레이합니다. !heist를 쓰려면 같은 페이지에서 Message Content Intent를 켜세요.
setup-discord-invite = 서버에 초대
setup-discord-connected = 봇이 연결되었습니다. 서버 채널에서 /heist를 입력해 보세요.
setup-discord-entered = 토큰을 입력했습니다. 봇이 연결하는 중입니다.

setup-overlay = 오버레이
setup-overlay-hint = 방의 주소를 OBS 브라우저 소스에 넣으세요(1920 × 1080). 게임이 시작될 때까지는 아무것도 나오지 않습니다. 주소를 아는 사람은 그 방의 게임을 볼 수 있습니다.
setup-overlay-preview = 오버레이 미리보기
setup-overlay-sample = 견본 재생
